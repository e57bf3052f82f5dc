// The public HTTP API: a guest's session, kept across pages, and calls that can be sent again without harm.
import { pause, unique } from "./dom.js";

const ATTEMPTS = 3;
const TURN_MILLISECONDS = 35_000;
const CALL_MILLISECONDS = 15_000;
const STEPS_MILLISECONDS = 5_000;

/** What went wrong. `status` is 0 when no reply came. */
export class ApiError extends Error {
  constructor(message, { status = 0, code = "", retryAfter = 0 } = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.retryAfter = retryAfter;
  }
}

export class Api {
  /**
   * @param {string} base address of the API, without a slash at its end; "" is the page's own
   */
  constructor(base) {
    this.base = base;
    this.key = `shopping-agent.session ${base}`;
  }

  get token() {
    try {
      return localStorage.getItem(this.key) ?? this.unkept ?? null;
    } catch {
      return this.unkept ?? null;
    }
  }

  set token(token) {
    // Storage may be forbidden: then the session lasts as long as the page.
    this.unkept = token;
    try {
      if (token) localStorage.setItem(this.key, token);
      else localStorage.removeItem(this.key);
    } catch { /* see above */ }
  }

  /** A guest's session, begun once however many calls want it at the same time. */
  async session() {
    if (this.token) return;
    this.beginning ??= this.again(() => this.send("POST", "/api/v1/sessions", undefined, { milliseconds: CALL_MILLISECONDS }));
    try {
      const { token } = await this.beginning;
      if (!this.token) this.token = token;
    } finally {
      this.beginning = null;
    }
  }

  /** A call; when no reply comes it is sent again. Changes carry a key, so the server makes them once. */
  async call(method, path, body) {
    await this.session();
    const headers = method === "GET" ? {} : { "idempotency-key": unique() };
    return this.again((attempt) => this.send(method, path, body, { headers, milliseconds: CALL_MILLISECONDS }, attempt));
  }

  /** A chat turn; sent again with the same id it is the same turn. */
  async turn(request) {
    await this.session();
    return this.again((attempt) => this.send("POST", "/api/v1/ai/cart", request, { milliseconds: TURN_MILLISECONDS }, attempt));
  }

  /** The steps of a running turn after a number; null where the server has none. */
  async steps(turnId, after) {
    // The turn's session is still being begun.
    if (!this.token) return { steps: [], done: false };
    try {
      const path = `/api/v1/ai/turns/${encodeURIComponent(turnId)}/steps?after=${after}`;
      return await this.send("GET", path, undefined, { milliseconds: STEPS_MILLISECONDS });
    } catch {
      return null;
    }
  }

  /** Who the store is; null where it does not say. */
  async store(locale) {
    try {
      const path = `/api/v1/store?locale=${encodeURIComponent(String(locale).slice(0, 35))}`;
      return await this.send("GET", path, undefined, { milliseconds: CALL_MILLISECONDS });
    } catch {
      return null;
    }
  }

  async again(send) {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await send(attempt);
      } catch (error) {
        // 409 turn_in_progress, request_in_progress: the first sending still runs, its reply can be had when it is done.
        const passing = error.status === 0 || error.status === 502 || error.status === 504 || error.code.endsWith("in_progress");
        if (!passing || attempt === ATTEMPTS) throw error;
        await pause(Math.max(700 * 2 ** attempt, error.retryAfter * 1000));
      }
    }
  }

  async send(method, path, body, { headers = {}, milliseconds, renewed = false }) {
    const token = this.token;
    const all = { ...headers };
    if (token) all.authorization = `Bearer ${token}`;
    if (body !== undefined) all["content-type"] = "application/json";
    let reply;
    try {
      reply = await fetch(this.base + path, {
        method, headers: all, body: body === undefined ? undefined : JSON.stringify(body),
        signal: AbortSignal.timeout(milliseconds), credentials: "omit",
      });
    } catch (error) {
      throw new ApiError(String(error));
    }
    const data = await reply.json().catch(() => ({}));
    if (reply.status === 401 && token && !renewed) {
      // The session is over: another one is begun, once.
      if (this.token === token) this.token = null;
      await this.session();
      return this.send(method, path, body, { headers, milliseconds, renewed: true });
    }
    if (!reply.ok) {
      const retryAfter = Number(reply.headers.get("retry-after")) || 0;
      throw new ApiError(String(data.detail ?? data.message ?? ""), { status: reply.status, code: String(data.code ?? ""), retryAfter });
    }
    return data;
  }
}
