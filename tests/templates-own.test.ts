/** Every template of our own finds what it is for, and stays silent beside it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { OWN_FOLDER } from '../src/modules/attack/templates/catalogues.ts'
import { openCatalogue } from '../src/templates/language/catalogue.ts'
import { caseAddress, runCase, type Served, serveTemplateCase } from '../src/templates/run/testing/template-case.ts'

interface Answer {
  readonly path: string
  readonly type: string
  readonly body: string
}

interface Case {
  readonly found: Answer
  /** Looks alike and is not it. */
  readonly silent: Answer
}

const text = (path: string, body: string): Answer => ({ path, type: 'text/plain', body })
const json = (path: string, body: unknown): Answer => ({
  path,
  type: 'application/json',
  body: typeof body === 'string' ? body : JSON.stringify(body),
})
const html = (path: string, body: string): Answer => ({ path, type: 'text/html', body })

const CASES: Readonly<Record<string, Case>> = {
  'sonde-terraform-state': {
    found: json('/terraform.tfstate', '{"version": 4,\n "terraform_version": "1.9.5", "serial": 3, "lineage": "a-b"}'),
    silent: json('/terraform.tfstate', { error: 'no "terraform_version" here' }),
  },
  'sonde-python-lock-file': {
    found: text('/uv.lock', 'version = 1\n\n[[package]]\nname = "anyio"\nversion = "4.4.0"\n'),
    silent: html('/uv.lock', '[[package]]\nname = "anyio"\nversion = "4.4.0"\n as shown in our handbook'),
  },
  'sonde-deploy-settings': {
    found: text('/wrangler.toml', 'name = "shop-edge"\naccount_id = "0123"\ncompatibility_date = "2025-01-01"\n'),
    silent: text('/wrangler.toml', 'name = "shop-edge"\n'),
  },
  'sonde-test-coverage-report': {
    found: text('/coverage/lcov.info', 'TN:\nSF:src/cart.js\nDA:1,1\nend_of_record\n'),
    silent: text('/coverage/lcov.info', 'Health insurance: what it covers'),
  },
  'sonde-browser-test-report': {
    found: html(
      '/playwright-report/index.html',
      '<title>Playwright Test Report</title><script>window.playwrightReportBase64 = ""',
    ),
    silent: html('/playwright-report/index.html', '<title>Report of the theatre</title>'),
  },
  'sonde-assistant-instructions': {
    found: text('/AGENTS.md', '# Project overview\nRun `npm run dev`, test with `npm run test`.\n'),
    silent: html('/AGENTS.md', '<!DOCTYPE html># Project overview npm run dev'),
  },
  'sonde-dev-server-webpack': {
    found: html('/webpack-dev-server', '<h1>Assets Report:</h1><ul><li>main.js</li></ul>'),
    silent: html('/webpack-dev-server', '<h1>How we replaced webpack-dev-server</h1>'),
  },
  'sonde-dev-server-next': {
    found: json('/_next/static/development/_devMiddlewareManifest.json', []),
    silent: json('/_next/static/development/_devMiddlewareManifest.json', { error: 'not found' }),
  },
  'sonde-trace-pages': {
    found: html('/debug/tracez', '<h1>Trace Spans</h1><th>Running</th><th>Latency Samples</th>'),
    silent: html('/debug/tracez', '<h1>Trace your parcel</h1>'),
  },
  'sonde-model-server-open': {
    found: json('/v1/models', { object: 'list', data: [{ id: 'm', object: 'model', owned_by: 'vllm' }] }),
    silent: json('/v1/models', { object: 'list', data: [{ id: 'golf', owned_by: 'a customer' }] }),
  },
  'sonde-tool-server-open': {
    found: json('/mcp', {
      jsonrpc: '2.0',
      id: 1,
      result: { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: { name: 'files', version: '1' } },
    }),
    silent: json('/mcp', { jsonrpc: '2.0', id: 1, error: { code: -32001, message: 'Unauthorized' } }),
  },
}

const ADDRESS = caseAddress(61)
let served: Served
let answer: Answer = text('/', '')

beforeAll(async () => {
  served = await serveTemplateCase(ADDRESS, (request, response) => {
    const here = request.url === answer.path
    response.writeHead(here ? 200 : 404, { 'content-type': here ? answer.type : 'text/html' })
    response.end(here ? answer.body : '<h1>Not found</h1>')
  })
})
afterAll(() => served.close())

const { templates, broken, warnings, refused } = openCatalogue(OWN_FOLDER)

describe('our own catalogue', () => {
  it('is whole, and has a case for each', () => {
    expect({ broken, warnings, refused }).toEqual({ broken: [], warnings: [], refused: [] })
    expect(templates.map(({ id }) => id).toSorted()).toEqual(Object.keys(CASES).toSorted())
  })

  it('only reads', () => expect(templates.filter(({ tiers }) => tiers.length > 0)).toEqual([]))

  it.each(templates.map((template) => [template.id, template] as const))('%s', async (id, template) => {
    const { found, silent } = CASES[id] ?? { found: text('/', ''), silent: text('/', '') }
    answer = found
    expect((await runCase(template, { address: ADDRESS, port: served.port })).hits).toHaveLength(1)
    answer = silent
    const quiet = await runCase(template, { address: ADDRESS, port: served.port })
    expect(quiet).toMatchObject({ hits: [], skipped: null, failed: null })
  })
})
