// What outlives a page in the same tab; where storage is forbidden, nothing does.

/** What was kept there, null when nothing was. */
export function kept(place) {
  try { return JSON.parse(sessionStorage.getItem(place)); } catch { return null; }
}

export function keep(place, value) {
  try { sessionStorage.setItem(place, JSON.stringify(value)); } catch { /* the page remembers */ }
}
