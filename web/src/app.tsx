/** Addresses and their pages; each page is loaded when it is first asked for, and that of the first address at once. */
import { type ComponentType, lazy, type ReactNode, Suspense } from 'react'
import { matchRoutes, type RouteObject, useRoutes } from 'react-router'
import { ArrivingPage } from './components/ghost.tsx'
import { Shell } from './components/shell.tsx'
import { NotFound } from './pages/not-found.tsx'
import { SessionGate } from './session.tsx'

/** Of a page: its file, which the page's address says long before anybody is signed in. */
interface Handle {
  readonly load: () => Promise<unknown>
}

/** Routes of a page, which is one file for all of them. */
const page = <Props extends object>(
  load: () => Promise<{ readonly default: ComponentType<Props> }>,
  paths: Readonly<Record<string, Props>>,
): RouteObject[] => {
  const Page = lazy(load) as unknown as ComponentType<Props>
  const handle: Handle = { load }
  return Object.entries(paths).map(([path, props]) => ({ path, handle, element: <Page {...props} /> }))
}

const Signed = () => (
  <SessionGate>
    <Shell />
  </SessionGate>
)

const ROUTES: RouteObject[] = [
  ...page(() => import('./pages/sign-in.tsx'), { '/sign-in': {} }),
  {
    element: <Signed />,
    children: [
      ...page(() => import('./pages/dashboard.tsx'), { '/': {} }),
      ...page(() => import('./pages/findings.tsx'), { '/findings': {} }),
      ...page(() => import('./pages/problem.tsx'), { '/findings/:domain/:fingerprint': {} }),
      ...page(() => import('./pages/runs.tsx'), { '/runs': {} }),
      ...page(() => import('./pages/hypotheses.tsx'), { '/hypotheses': {} }),
      ...page(() => import('./pages/batches.tsx'), { '/batches': {} }),
      ...page(() => import('./pages/run.tsx'), {
        '/runs/:id': { part: 'findings' },
        '/runs/:id/changes': { part: 'changes' },
        '/runs/:id/coverage': { part: 'coverage' },
        '/runs/:id/matrix': { part: 'matrix' },
        '/runs/:id/audit': { part: 'audit' },
        '/runs/:id/files': { part: 'files' },
      }),
      ...page(() => import('./pages/finding.tsx'), { '/runs/:id/findings/:finding': {} }),
      ...page(() => import('./pages/domains.tsx'), { '/domains': {} }),
      ...page(() => import('./pages/domain.tsx'), { '/domains/:id': {} }),
      ...page(() => import('./pages/settings.tsx'), {
        '/settings': { part: 'organisation' },
        '/settings/keys': { part: 'keys' },
        '/settings/agents': { part: 'agents' },
        '/settings/webhooks': { part: 'webhooks' },
        '/settings/mail': { part: 'mail' },
        '/settings/members': { part: 'members' },
        '/settings/activity': { part: 'activity' },
      }),
      { path: '*', element: <NotFound /> },
    ],
  },
]

/** Begins to load the page of an address: beside what else the application waits for, and not behind it. */
export const loadPageOf = (path: string): void => {
  const handle: Handle | undefined = matchRoutes(ROUTES, path)?.at(-1)?.route.handle
  // Whoever shows the page says what is wrong.
  handle?.load().catch(() => undefined)
}

export const App = (): ReactNode => <Suspense fallback={<ArrivingPage />}>{useRoutes(ROUTES)}</Suspense>
