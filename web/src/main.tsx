import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router'
import { App, loadPageOf } from './app.tsx'
import { TextProvider } from './i18n/text.tsx'
import { createQueryClient } from './query-client.ts'
import { useScheme } from './scheme.ts'
import { sessionQuery } from './session.tsx'
import { THEME } from './theme.ts'
import './styles/index.css'

const queries = createQueryClient()
// Nothing of these waits for the other: who is signed in, the page, the words.
if (location.pathname !== '/sign-in') void queries.prefetchQuery(sessionQuery)
loadPageOf(location.pathname)

/** No style element is ever written: the page's policy allows style sheets of our own only. */
const Root = () => {
  const [scheme] = useScheme()
  return (
    <MantineProvider theme={THEME} forceColorScheme={scheme} withCssVariables={false} withGlobalClasses={false}>
      <QueryClientProvider client={queries}>
        <TextProvider>
          <BrowserRouter>
            <App />
          </BrowserRouter>
        </TextProvider>
      </QueryClientProvider>
    </MantineProvider>
  )
}

const place = document.getElementById('app')
if (place === null) throw new Error('The page has no place for the application')
createRoot(place).render(
  <StrictMode>
    <Root />
  </StrictMode>,
)
