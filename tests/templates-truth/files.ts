/** Products that hand out files that they should not. */
import { climbs, fileOf, html, json, type Reply, type Truth, text, xml } from './products.ts'

/** Below a folder of files, something climbs out. */
const below = (prefix: RegExp, path: string): Reply | null => (prefix.test(path) && climbs(path) ? fileOf(path) : null)
const WEB_XML =
  '<?xml version="1.0" encoding="UTF-8"?>\n<web-app xmlns="http://java.sun.com/xml/ns/javaee" version="2.5">\n<display-name>Atlassian</display-name>\n<servlet><servlet-name>a</servlet-name></servlet>\n</web-app>'

export const FILES: readonly Truth[] = [
  {
    id: 'CVE-2019-11510',
    product: 'Pulse Connect Secure 9.0R3',
    vulnerable: ({ raw, path }) => (/^\/dana-na\/.*html5acc/.test(raw) ? below(/^\/dana-na\//, path) : null),
  },
  {
    id: 'CVE-2020-5902',
    product: 'BIG-IP 15.1.0',
    vulnerable: ({ raw, query, form }) => {
      if (!/\/tmui\/login\.jsp\/\.\.;\//.test(raw)) return null
      const named = query.get('fileName') ?? form.get('fileName')
      if (/fileRead\.jsp/.test(raw))
        return named && fileOf(named) ? json({ output: fileOf(named)?.body ?? '' }) : json({ output: '' })
      const command = query.get('command') ?? form.get('command') ?? ''
      return /tmshCmd\.jsp/.test(raw)
        ? json({
            error: '',
            output: /list auth user admin/.test(command)
              ? 'auth user admin {\n    description "Admin User"\n    encrypted-password $6$abc\n    partition Common\n    partition-access { all-partitions { role admin } }\n    shell none\n}\n'
              : '',
          })
        : null
    },
  },
  {
    id: 'CVE-2021-43798',
    product: 'Grafana 8.3.0',
    vulnerable: ({ path }) => below(/^\/public\/plugins\/[a-z-]+\//, path),
    patched: ({ path }) => (climbs(path) ? json({ message: 'Plugin file not found' }, { status: 404 }) : null),
  },
  {
    id: 'CVE-2020-17519',
    product: 'Flink 1.11.2',
    vulnerable: ({ deep }) => below(/^\/jobmanager\/logs\//, deep),
    patched: ({ path }) =>
      path.startsWith('/jobmanager')
        ? json({ errors: ['This file does not exist in JobManager log dir.'] }, { status: 404 })
        : null,
  },
  {
    id: 'CVE-2019-5418',
    product: 'Rails 5.2.2',
    vulnerable: ({ header }) => (/\{\{$/.test(header('accept')) ? fileOf(`/${header('accept')}`) : html('Hello')),
    patched: ({ header }) => (/\{\{/.test(header('accept')) ? html('', { status: 406 }) : html('Hello')),
  },
  {
    id: 'CVE-2021-26086',
    product: 'Jira 8.5.13',
    vulnerable: ({ raw }) =>
      /^\/s\/[^/]+\/_\/;\/WEB-INF\/web\.xml/i.test(raw) ? xml(WEB_XML, { type: 'application/xml' }) : null,
  },
  {
    id: 'CVE-2021-26085',
    product: 'Confluence 7.4.9',
    vulnerable: ({ raw }) =>
      /^\/s\/[^/]+\/_\/;\/WEB-INF\/web\.xml/i.test(raw)
        ? xml(
            WEB_XML.replace('Atlassian', 'Confluence').replace(
              '</web-app>',
              '<listener><listener-class>com.atlassian.confluence.setup.ConfluenceAppConfig</listener-class></listener></web-app>',
            ),
            { type: 'application/xml', headers: { 'X-Confluence-Request-Time': '1700000000000' } },
          )
        : null,
  },
  {
    id: 'CVE-2020-5410',
    product: 'Spring Cloud Config 2.2.2',
    vulnerable: ({ deep }) => (climbs(deep) ? fileOf(deep.replace(/#.*$/, '')) : null),
    patched: ({ deep }) => (climbs(deep) ? json({ error: 'Not Found' }, { status: 404 }) : null),
  },
  {
    id: 'CVE-2019-3799',
    product: 'Spring Cloud Config 2.1.1',
    vulnerable: ({ deep }) => below(/^\/[^/]+\/[^/]+\/[^/]+\//, deep),
  },
  {
    id: 'CVE-2018-1271',
    product: 'Spring MVC 5.0.4 on Windows',
    vulnerable: ({ deep }) => below(/^\/(?:static|spring-mvc-showcase\/resources|resources)\//, deep),
  },
  {
    id: 'CVE-2018-3760',
    product: 'Sprockets 3.7.1',
    vulnerable: ({ path, deep }) => (/^\/assets\/file:\/\//.test(path) ? fileOf(deep) : null),
    patched: ({ path }) => (path.startsWith('/assets/') ? text('Forbidden', { status: 403 }) : null),
  },
  {
    id: 'CVE-2015-3337',
    product: 'Elasticsearch 1.5.1',
    vulnerable: ({ path }) => below(/^\/_plugin\/[a-z]+\//, path),
  },
  {
    id: 'CVE-2024-28995',
    product: 'Serv-U 15.4.2',
    vulnerable: ({ query }) => {
      const at = `${query.get('InternalDir') ?? ''}/${query.get('InternalFile') ?? ''}`
      return {
        ...(climbs(at) ? (fileOf(at) ?? html('Serv-U')) : html('Serv-U')),
        headers: { Server: 'Serv-U/15.4.2.126' },
      }
    },
    patched: () => html('Serv-U'),
  },
  {
    id: 'CVE-2024-23334',
    product: 'aiohttp 3.9.1',
    vulnerable: ({ path }) => {
      const file = below(/^\/(?:static|assets|public|files|images|media)\//, path)
      return file && { ...file, type: 'application/octet-stream', headers: { Server: 'Python/3.11 aiohttp/3.9.1' } }
    },
    patched: ({ path }) => (climbs(path) ? text('404: Not Found', { status: 404 }) : null),
  },
  {
    id: 'CVE-2024-24919',
    product: 'Check Point R81.20',
    vulnerable: ({ path, body, method }) =>
      path === '/clients/MyCRL' && method === 'POST' && /aCSHELL\/\.\./.test(body) ? fileOf(body) : null,
    patched: ({ path }) => (path === '/clients/MyCRL' ? html('', { status: 404 }) : null),
  },
  {
    id: 'CVE-2018-12613',
    product: 'phpMyAdmin 4.8.1',
    vulnerable: ({ path, query }) =>
      path.endsWith('/index.php') && /^[a-z_]+\.php(?:\?|%3f)/i.test(query.get('target') ?? '')
        ? fileOf(query.get('target') ?? '')
        : null,
    patched: ({ path }) => (path.endsWith('/index.php') ? html('phpMyAdmin') : null),
  },
  {
    id: 'CVE-2025-30208',
    product: 'Vite 6.2.2',
    vulnerable: ({ raw }) =>
      raw === '/'
        ? html('<script type="module" src="/@vite/client"></script>')
        : /^\/(?:@fs\/)?.*\?(?:raw|import&raw)/.test(raw) && fileOf(raw)
          ? { type: 'text/javascript', body: `export default ${JSON.stringify(fileOf(raw)?.body)}` }
          : null,
    patched: ({ raw }) =>
      raw === '/'
        ? html('<script type="module" src="/@vite/client"></script>')
        : /[?&]raw/.test(raw)
          ? html('<h1>403 Restricted</h1><p>The request url is outside of Vite serving allow list.</p>', {
              status: 403,
            })
          : null,
  },
]
