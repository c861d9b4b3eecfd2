/** Leads an application to another of its views, as its own links do: nothing is loaded anew where its router hears of it. */
export function main(to: string): void {
  const there = new URL(to, location.href)
  if (there.pathname === location.pathname && there.hash !== '') {
    location.hash = there.hash
    return
  }
  history.pushState(null, '', to)
  dispatchEvent(new PopStateEvent('popstate', { state: null }))
}
