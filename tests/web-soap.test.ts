/** From the description of a SOAP service to a flaw in one of its operations, and to none in its careful twin. */
import type { RequestListener } from 'node:http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { judgeModule } from '../src/engine/judge.ts'
import { collectCrawl } from '../src/modules/attack/crawl/collect.ts'
import { sqli } from '../src/modules/attack/sqli/module.ts'
import { collect as collectSite } from '../src/modules/passive/site/collect.ts'
import { type CaseServers, collectContext, serveCase } from '../src/modules/testing/collecting.ts'
import { caseContext } from '../src/modules/testing/judge-cases.ts'
import { DATABASES, type Sql } from '../testbed/web/sql.ts'

const TWINS = ['careless', 'careful'] as const
let sql: Sql
let server: CaseServers
const unfit: string[] = []

const wsdl = (twin: string): string => `<?xml version="1.0"?>
<definitions xmlns="http://schemas.xmlsoap.org/wsdl/" xmlns:s="http://schemas.xmlsoap.org/wsdl/soap/"
  xmlns:x="http://www.w3.org/2001/XMLSchema" xmlns:t="urn:${twin}" targetNamespace="urn:${twin}">
  <types><x:schema targetNamespace="urn:${twin}"><x:element name="FindProduct"><x:complexType><x:sequence>
    <x:element name="id" type="x:int"/></x:sequence></x:complexType></x:element></x:schema></types>
  <message name="In"><part name="parameters" element="t:FindProduct"/></message>
  <portType name="Port"><operation name="FindProduct"><input message="t:In"/></operation></portType>
  <binding name="Binding" type="t:Port"><s:binding style="document" transport="http://schemas.xmlsoap.org/soap/http"/>
    <operation name="FindProduct"><s:operation soapAction="urn:${twin}/FindProduct"/></operation></binding>
  <service name="Shop"><port name="p" binding="t:Binding"><s:address location="http://10.0.0.7/${twin}/shop"/></port></service>
</definitions>`

/** Takes only what a SOAP server takes: its action, its envelope, its namespace. */
const answer = async (twin: string, headers: Readonly<Record<string, unknown>>, body: string): Promise<string> => {
  const [, id] =
    new RegExp(`<soap:Body><FindProduct xmlns="urn:${twin}"><id>([^<]*)</id></FindProduct>`).exec(body) ?? []
  if (
    id === undefined ||
    headers.soapaction !== `"urn:${twin}/FindProduct"` ||
    !/^text\/xml/.test(String(headers['content-type']))
  ) {
    unfit.push(body)
    return '<Fault>malformed</Fault>'
  }
  const value = id.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&')
  try {
    const rows = await (twin === 'careless'
      ? sql.run(`select name, price from products where id=${value}`)
      : sql.bind('select name, price from products where id=?', [value]))
    return `<Envelope><Body>${rows.map((row) => `<name>${row.name}</name><price>${row.price}</price>`).join('') || '<none/>'}</Body></Envelope>`
  } catch {
    return '<Envelope><Body><none/></Body></Envelope>' // Errors are hidden, as in most.
  }
}

const site: RequestListener = async (request, response) => {
  let body = ''
  for await (const chunk of request) body += chunk
  const [, twin = ''] = /^\/(careless|careful)\/shop/.exec(request.url ?? '') ?? []
  if (request.url === '/') {
    const links = TWINS.map((one) => `<a href="/${one}/shop?wsdl">${one}</a>`)
    response.writeHead(200, { 'Content-Type': 'text/html' }).end(`<!doctype html><title>Shop</title>${links.join('')}`)
  } else if (twin === '') response.writeHead(404, { 'Content-Type': 'text/html' }).end('<title>Not found</title>')
  else {
    const text = request.method === 'POST' ? await answer(twin, request.headers, body) : wsdl(twin)
    response.writeHead(200, { 'Content-Type': 'text/xml; charset=utf-8' }).end(text)
  }
}

beforeAll(async () => {
  sql = await DATABASES.sqlite()
  server = await serveCase(97, { http: site })
})

afterAll(async () => {
  await server.close()
  await sql.close()
})

it('an operation that nobody called is found, asked as it wants, and proven', { timeout: 60_000 }, async () => {
  const { ctx, close } = collectContext(server.address, { module: 'crawl', requests: 1_000 })
  try {
    const crawl = await collectCrawl(ctx, await collectSite(ctx))
    expect(crawl.apis.map(({ kind, title }) => `${kind} ${title}`)).toEqual(['WSDL 1.1 Shop', 'WSDL 1.1 Shop'])
    const known = { crawl, waf: { blockPage: null } }
    const facts = await sqli.collect(ctx, known as never)
    const { findings } = judgeModule(sqli as never, facts, known, caseContext())
    expect(
      findings.map(
        ({ check_id, confidence, location }) => `${check_id} ${confidence} ${location.url} ${location.parameter}`,
      ),
    ).toEqual(['sqli/boolean confirmed http://shop.test/careless/shop id'])
    expect(unfit).toEqual([])
  } finally {
    await close()
  }
})
