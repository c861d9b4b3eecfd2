/** Views that the table of a client's router names, as builds of Angular, Vue and React keep it: `{ path: 'orders/:id', component: … }`. */

const LONGEST = 2_000_000
const MOST = 200
/** The path, and behind it in the same object what it leads to: a path of something else has nothing of that. */
const ROW =
  /\bpath\s*:\s*(["'`])([\w/:.~@%-]{1,120})\1\s*,(?=[^{}]{0,120}\b(?:component|components|loadComponent|loadChildren|children|canActivate|redirectTo|element|Component|lazy|name|pathMatch|title)\b\s*:)/g
const EXAMPLE = '1'

/** With a slash before them, parameters filled with an example; none that takes whatever is left. */
export const routesIn = (code: string): readonly string[] => {
  const found = [...code.slice(0, LONGEST).matchAll(ROW)].map(([, , path = '']) => path)
  const routes = found
    .filter((path) => !path.includes('*'))
    .map((path) => `/${path.replace(/^\//, '').replace(/:\w+/g, EXAMPLE)}`)
  return [...new Set(routes)].filter((route) => route !== '/').slice(0, MOST)
}
