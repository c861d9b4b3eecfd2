import type { Plugin, UserConfig } from 'vite'
import { clientRow } from '../src/contract/client-core.ts'
import { ENDPOINTS } from '../src/contract/endpoints.ts'

const TABLE = 'virtual:endpoints'

/** What the typed client needs of the endpoint table, as plain data: the schemas stay on the server. */
const endpointTable: Plugin = {
  name: 'endpoint-table',
  resolveId: (id) => (id === TABLE ? `\0${TABLE}` : null),
  load: (id) => {
    if (id !== `\0${TABLE}`) return null
    const rows = Object.fromEntries(Object.entries(ENDPOINTS).map(([name, row]) => [name, clientRow(row)]))
    return `export const ROWS = ${JSON.stringify(rows)}`
  },
}

/**
 * The style sheet of everything stands after the frame that is drawn before it comes; scripts wait for it wherever it stands
 * (HTML, "style sheet that is blocking scripts").
 */
const styleAfterFrame: Plugin = {
  name: 'style-after-frame',
  transformIndexHtml: {
    order: 'post',
    handler: (html) => {
      const sheets = html.match(/ *<link rel="stylesheet" crossorigin[^>]*>\n/g) ?? []
      const bare = sheets.reduce((rest, sheet) => rest.replace(sheet, ''), html)
      return bare.replace('    <noscript>', () => `${sheets.join('')}    <noscript>`)
    },
  },
}

export default {
  plugins: [endpointTable, styleAfterFrame],
  build: {
    target: 'es2023',
    emptyOutDir: true,
    // A picture or font inside the style sheet would be loaded by everybody, and first.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // What every page needs, in two files: each further one is a way there and back before anything works. That of
            // others changes seldom and stays in the browser's cache over releases.
            { name: 'vendor', test: /node_modules/, tags: ['$initial'], priority: 2 },
            { name: 'shell', tags: ['$initial'], priority: 1 },
            { name: 'more', test: /node_modules/, entriesAware: true },
          ],
        },
      },
    },
  },
} satisfies UserConfig
