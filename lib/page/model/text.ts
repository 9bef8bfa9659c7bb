/** `12 s ago`, `5 min ago`, `3 h ago`, `2 days ago`; a moment ahead counts as now. */
export function toAge(moment: string, now: number): string {
  const seconds = Math.max(0, Math.floor((now - Date.parse(moment)) / 1000));
  if (seconds < 5) return 'just now';
  if (seconds < 60) return `${seconds} s ago`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h ago`;
  const days = Math.floor(seconds / 86_400);
  return `${days} day${days === 1 ? '' : 's'} ago`;
}

/** `2026-11-30 17:41:05 UTC`. */
export const toMoment = (moment: string): string => `${moment.slice(0, 10)} ${moment.slice(11, 19)} UTC`;

export const toCount = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;

/** An address that a click may open: http and https alone. What the API says may be hostile. */
export function toSafeLink(address: string | null | undefined): string | null {
  const url = address ? URL.parse(address) : null;
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:') ? url.href : null;
}

/** Characters that hide or reorder text, which a reader would not see: bidi marks, zero-width ones, controls. */
const HIDDEN = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/** Text of the API on one line, with nothing hidden in it. */
export const toLine = (text: string): string => text.replaceAll(/\s+/g, ' ').replaceAll(HIDDEN, '').trim();
