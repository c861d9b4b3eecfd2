/** Milliseconds a Retry-After asks for (RFC 9110, 10.2.3: seconds or a date), 0 when it cannot be read. */
export const retryAfter = (value: string | null): number => {
  if (value === null) return 0
  if (/^\s*\d{1,9}\s*$/.test(value)) return Number(value) * 1000
  const date = Date.parse(value)
  return Number.isNaN(date) ? 0 : Math.max(0, date - Date.now())
}
