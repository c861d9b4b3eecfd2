/** Addresses and their pages; each page is loaded when it is first asked for. */
import { lazy, Suspense } from 'react'
import { Route, Routes } from 'react-router'
import { PageGhost } from './components/ghost.tsx'
import { Shell } from './components/shell.tsx'
import { NotFound } from './pages/not-found.tsx'
import { SessionGate } from './session.tsx'

const SignIn = lazy(() => import('./pages/sign-in.tsx'))
const Dashboard = lazy(() => import('./pages/dashboard.tsx'))
const Findings = lazy(() => import('./pages/findings.tsx'))
const Problem = lazy(() => import('./pages/problem.tsx'))
const Runs = lazy(() => import('./pages/runs.tsx'))
const Hypotheses = lazy(() => import('./pages/hypotheses.tsx'))
const Batches = lazy(() => import('./pages/batches.tsx'))
const Run = lazy(() => import('./pages/run.tsx'))
const Finding = lazy(() => import('./pages/finding.tsx'))
const Domains = lazy(() => import('./pages/domains.tsx'))
const Domain = lazy(() => import('./pages/domain.tsx'))
const Settings = lazy(() => import('./pages/settings.tsx'))

const Signed = () => (
  <SessionGate>
    <Shell />
  </SessionGate>
)

export const App = () => (
  <Suspense fallback={<PageGhost />}>
    <Routes>
      <Route path="/sign-in" element={<SignIn />} />
      <Route element={<Signed />}>
        <Route index element={<Dashboard />} />
        <Route path="findings" element={<Findings />} />
        <Route path="findings/:domain/:fingerprint" element={<Problem />} />
        <Route path="runs" element={<Runs />} />
        <Route path="hypotheses" element={<Hypotheses />} />
        <Route path="batches" element={<Batches />} />
        <Route path="runs/:id" element={<Run part="findings" />} />
        <Route path="runs/:id/changes" element={<Run part="changes" />} />
        <Route path="runs/:id/coverage" element={<Run part="coverage" />} />
        <Route path="runs/:id/matrix" element={<Run part="matrix" />} />
        <Route path="runs/:id/audit" element={<Run part="audit" />} />
        <Route path="runs/:id/files" element={<Run part="files" />} />
        <Route path="runs/:id/findings/:finding" element={<Finding />} />
        <Route path="domains" element={<Domains />} />
        <Route path="domains/:id" element={<Domain />} />
        <Route path="settings" element={<Settings part="organisation" />} />
        <Route path="settings/keys" element={<Settings part="keys" />} />
        <Route path="settings/agents" element={<Settings part="agents" />} />
        <Route path="settings/webhooks" element={<Settings part="webhooks" />} />
        <Route path="settings/mail" element={<Settings part="mail" />} />
        <Route path="settings/members" element={<Settings part="members" />} />
        <Route path="settings/activity" element={<Settings part="activity" />} />
        <Route path="*" element={<NotFound />} />
      </Route>
    </Routes>
  </Suspense>
)
