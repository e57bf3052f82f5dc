// What a turn is doing, while it does it: short polls that grow apart, for as long as the turn runs.
import { pause } from "./dom.js";

const FIRST = 350;
const LONGEST = 1600;
const GROWTH = 1.35;

/** Call `show` with the label of each new step until `running()` is false or the server knows of no steps. */
export async function follow(api, turnId, running, show) {
  let after = 0;
  let failures = 0;
  for (let wait = FIRST; running(); wait = Math.min(wait * GROWTH, LONGEST)) {
    await pause(wait);
    if (!running()) return;
    const reply = await api.steps(turnId, after);
    if (!running()) return;
    if (reply === null) {
      failures += 1;
      if (failures === 3) return;
      continue;
    }
    const last = reply.steps.at(-1);
    if (last) {
      after = last.seq;
      show(last.label);
    }
    if (reply.done) return;
  }
}
