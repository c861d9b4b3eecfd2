/** Leads an application to another of its views, as the buttons of its window do: nothing is loaded anew where its router hears of it. */

/** Milliseconds for a step in the history, and for what follows it. */
const STEP = 2_000
const FOLLOWS = 50

/** To an address, or so many steps on in the history. */
export async function main(to: string | number): Promise<void> {
  if (typeof to === 'number') return step(to)
  const from = location.href
  history.pushState(null, '', to)
  dispatchEvent(new PopStateEvent('popstate', { state: null }))
  if (new URL(from).hash !== location.hash)
    dispatchEvent(new HashChangeEvent('hashchange', { oldURL: from, newURL: location.href }))
}

/** It is taken some time after it was asked for, and what hears of the fragment hears last. */
const step = (steps: number): Promise<void> =>
  new Promise((done) => {
    const late = setTimeout(done, STEP)
    addEventListener(
      'popstate',
      () => {
        clearTimeout(late)
        setTimeout(done, FOLLOWS)
      },
      { once: true },
    )
    history.go(steps)
  })
