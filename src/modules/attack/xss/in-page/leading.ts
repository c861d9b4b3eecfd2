/** Leads an application to another of its views, as the buttons of its window do: nothing is loaded anew where its router hears of it. */
export function main(to: string): void {
  const from = location.href
  history.pushState(null, '', to)
  dispatchEvent(new PopStateEvent('popstate', { state: null }))
  if (new URL(from).hash !== location.hash)
    dispatchEvent(new HashChangeEvent('hashchange', { oldURL: from, newURL: location.href }))
}
