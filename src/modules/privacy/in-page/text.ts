/** What a person reads on an element: its text, or what stands in its place. */
export const textOf = (element: Element): string => {
  const { innerText, value, title } = element as Partial<HTMLInputElement>
  return String(innerText || value || element.getAttribute('aria-label') || title || '')
    .trim()
    .replace(/\s+/g, ' ')
}
