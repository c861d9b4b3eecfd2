/** Web servers and the interfaces over HTTP that control or hold something, by their own answers. */
import { type Identity, identify, type ProductRule } from './service.ts'

/** Over the value of the Server header. */
const SERVERS: readonly ProductRule[] = [
  { match: /^nginx\/(?<version>[\d.]+)(?: \((?<info>[^)]{1,40})\))?/, product: 'nginx', cpe: 'f5:nginx' },
  { match: /^nginx$/, product: 'nginx', cpe: 'f5:nginx' },
  { match: /^openresty(?:\/(?<version>[\d.]+))?/, product: 'OpenResty', cpe: 'openresty:openresty' },
  {
    match: /^Apache\/(?<version>[\d.]+)(?: \((?<info>[^)]{1,40})\))?/,
    product: 'Apache httpd',
    cpe: 'apache:http_server',
  },
  { match: /^Apache$/, product: 'Apache httpd', cpe: 'apache:http_server' },
  { match: /^Apache-Coyote\/(?<info>[\d.]+)/, product: 'Apache Tomcat', cpe: 'apache:tomcat' },
  {
    match: /^Microsoft-IIS\/(?<version>[\d.]+)/,
    product: 'Microsoft IIS httpd',
    cpe: 'microsoft:internet_information_services',
  },
  { match: /^Microsoft-HTTPAPI\/(?<version>[\d.]+)/, product: 'Microsoft HTTPAPI httpd' },
  { match: /^lighttpd(?:\/(?<version>[\d.]+))?/, product: 'lighttpd', cpe: 'lighttpd:lighttpd' },
  { match: /^LiteSpeed/, product: 'LiteSpeed httpd', cpe: 'litespeedtech:litespeed_web_server' },
  { match: /^Caddy/, product: 'Caddy httpd', cpe: 'caddyserver:caddy' },
  { match: /^Jetty\((?<version>[\w.-]+)\)/, product: 'Jetty', cpe: 'eclipse:jetty' },
  { match: /^(?:gunicorn)(?:\/(?<version>[\d.]+))?/, product: 'gunicorn', cpe: 'gunicorn:gunicorn' },
  { match: /^uvicorn/, product: 'Uvicorn', cpe: 'encode:uvicorn' },
  {
    match: /^Werkzeug\/(?<version>[\w.]+)(?: (?<info>Python\/[\d.]+))?/,
    product: 'Werkzeug httpd',
    cpe: 'palletsprojects:werkzeug',
  },
  { match: /^TornadoServer\/(?<version>[\d.]+)/, product: 'Tornado httpd', cpe: 'tornadoweb:tornado' },
  { match: /^CherryPy\/(?<version>[\d.]+)/, product: 'CherryPy httpd' },
  {
    match: /^SimpleHTTP\/(?<version>[\d.]+)(?: (?<info>Python\/[\d.]+))?/,
    // Its number is not that of Python.
    product: 'SimpleHTTPServer',
  },
  { match: /^CouchDB\/(?<version>[\d.]+)/, product: 'CouchDB httpd', cpe: 'apache:couchdb' },
  { match: /^Cowboy/i, product: 'Cowboy httpd' },
  { match: /^MiniServ\/(?<version>[\d.]+)/, product: 'MiniServ', info: 'Webmin', cpe: 'webmin:webmin' },
  { match: /^CUPS\/(?<version>[\d.]+)/, product: 'CUPS', cpe: 'openprinting:cups' },
  { match: /^squid(?:\/(?<version>[\d.]+))?/, product: 'Squid http proxy', cpe: 'squid-cache:squid' },
  { match: /^MinIO/, product: 'MinIO', cpe: 'minio:minio' },
  { match: /^(?:GoAhead-Webs|GoAhead-http)/, product: 'GoAhead WebServer', cpe: 'embedthis:goahead' },
  {
    match:
      /^(?<product>mini_httpd|thttpd|Boa|micro_httpd|Hiawatha|Cherokee|Monkey|WEBrick|Mongoose|BaseHTTP|Puma|Phusion Passenger|Varnish|HAProxy|envoy|Kestrel|AkamaiGHost|cloudflare|awselb)(?:\/v?(?<version>[\w.]+))?/i,
  },
  { match: /^(?<product>[A-Za-z][\w .-]{1,40}?)(?:\/v?(?<version>\d[\w.]{0,20}))?(?:[ ;(]|$)/ },
]

export interface WebAnswer {
  readonly status: number
  /** By lower-case name; the first where it came twice. */
  readonly header: (name: string) => string
  /** At most 64 KiB. */
  readonly body: string
}

/** What a server says of itself: its interface first where it has one, the server under it otherwise. */
export const identifyWeb = (answer: WebAnswer): Identity => {
  const { body } = answer
  const interfaces: readonly (readonly [
    when: boolean,
    product: string,
    version: string | undefined,
    cpe: string | null,
  ])[] = [
    [
      /"tagline"\s*:\s*"You Know, for Search"/.test(body),
      'Elasticsearch REST API',
      pick(body, /"number"\s*:\s*"([\w.-]{1,20})"/),
      'elastic:elasticsearch',
    ],
    [
      /"distribution"\s*:\s*"opensearch"/.test(body),
      'OpenSearch REST API',
      pick(body, /"number"\s*:\s*"([\w.-]{1,20})"/),
      'amazon:opensearch',
    ],
    [
      /"couchdb"\s*:\s*"Welcome"/.test(body),
      'CouchDB httpd',
      pick(body, /"version"\s*:\s*"([\w.-]{1,20})"/),
      'apache:couchdb',
    ],
    [
      answer.header('x-influxdb-version') !== '',
      'InfluxDB http admin',
      answer.header('x-influxdb-version'),
      'influxdata:influxdb',
    ],
    [answer.header('x-jenkins') !== '', 'Jenkins', answer.header('x-jenkins'), 'jenkins:jenkins'],
    [
      answer.header('x-clickhouse-server-display-name') !== '' || answer.header('x-clickhouse-summary') !== '',
      'ClickHouse',
      undefined,
      'clickhouse:clickhouse',
    ],
    [answer.header('kbn-name') !== '', 'Kibana', answer.header('kbn-version') || undefined, 'elastic:kibana'],
    [/"neo4j_version"\s*:/.test(body), 'Neo4j', pick(body, /"neo4j_version"\s*:\s*"([\w.-]{1,20})"/), 'neo4j:neo4j'],
    [/<title>RabbitMQ Management<\/title>/i.test(body), 'RabbitMQ management', undefined, 'vmware:rabbitmq'],
    [
      /<title>(?:Jupyter|Home Page - Select or create a notebook|JupyterLab)/i.test(body),
      'Jupyter',
      undefined,
      'jupyter:notebook',
    ],
    [/<title>Grafana<\/title>/.test(body), 'Grafana', pick(body, /"version":"(\d[\w.-]{1,20})"/), 'grafana:grafana'],
    [/<title>Solr Admin<\/title>/i.test(body), 'Apache Solr', pick(body, /_=(\d+\.\d+\.\d+)/), 'apache:solr'],
    [/<title>Consul by HashiCorp<\/title>/.test(body), 'Consul', undefined, 'hashicorp:consul'],
    [
      /Statistics Report for HAProxy/.test(body),
      'HAProxy',
      pick(body, /HAProxy version (\d[\w.]{0,20})/),
      'haproxy:haproxy',
    ],
    // Both ports of Tor explain themselves to who takes them for an HTTP proxy.
    [
      /Tor's ControlPort is not an HTTP proxy|This is a SOCKS Proxy, Not An HTTP Proxy/i.test(body),
      'Tor',
      undefined,
      'torproject:tor',
    ],
    [/Apache Tomcat\/(\d[\d.]*)/.test(body), 'Apache Tomcat', pick(body, /Apache Tomcat\/(\d[\d.]*)/), 'apache:tomcat'],
  ]
  const found = interfaces.find(([when]) => when)
  const server = identify(SERVERS, answer.header('server'))
  if (!found) return server
  const [, product, version, name] = found
  return {
    ...identify([{ match: /^(?<version>.*)$/, product, ...(name ? { cpe: name } : {}) }], version ?? ''),
    info: answer.header('server').slice(0, 80) || null,
  }
}

const pick = (text: string, pattern: RegExp): string | undefined => pattern.exec(text.slice(0, 65_536))?.[1]
