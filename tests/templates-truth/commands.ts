/** Products that run what they are sent. */
import { createHash } from 'node:crypto'
import { arithmetic, fileOf, html, json, php, shell, type Truth, text, xml } from './products.ts'

const md5 = (value: string): string => createHash('md5').update(value).digest('hex')
const run = (code: string): string => php(code, md5)

export const COMMANDS: readonly Truth[] = [
  {
    id: 'CVE-2021-41773',
    product: 'Apache 2.4.49',
    vulnerable: ({ raw, path, body, method }) =>
      /^\/(?:cgi-bin|icons|assets)\//.test(raw) && /\.%2e/i.test(raw)
        ? method === 'POST' && /\/bin\/(?:ba)?sh$/.test(path)
          ? text(shell(body))
          : fileOf(path)
        : null,
    patched: ({ raw }) => (/%2e/i.test(raw) ? html('<h1>Bad Request</h1>', { status: 400 }) : null),
  },
  {
    id: 'CVE-2021-42013',
    product: 'Apache 2.4.50',
    vulnerable: ({ raw, deep, body, method }) =>
      /^\/(?:cgi-bin|icons|assets)\//.test(raw) && /%%32%65|%2%65|%%32e/i.test(raw)
        ? method === 'POST' && /\/bin\/(?:ba)?sh$/.test(deep)
          ? text(shell(body))
          : fileOf(deep)
        : null,
    patched: ({ raw }) => (/%%32/i.test(raw) ? html('<h1>Bad Request</h1>', { status: 400 }) : null),
  },
  {
    id: 'CVE-2017-5638',
    product: 'Struts 2.5.10',
    vulnerable: ({ header }) => {
      const set =
        /add?Header\(\s*'([\w-]+)'\s*,\s*([^)]*)\)/.exec(header('content-type')) ??
        /setHeader\(\s*'([\w-]+)'\s*,\s*([^)]*)\)/.exec(header('content-type'))
      const command = /#cmd="([^"]+)"/.exec(header('content-type'))?.[1]
      if (command !== undefined) return text(shell(command))
      return set
        ? html('Welcome', {
            headers: { [set[1] ?? 'X']: arithmetic(set[2] ?? '') || (set[2] ?? '').replaceAll("'", '') },
          })
        : html('Welcome')
    },
    patched: () => html('Welcome'),
  },
  {
    id: 'CVE-2012-1823',
    product: 'PHP 5.4.1 as CGI',
    vulnerable: ({ raw, body, deep }) =>
      /\?-[ds]/.test(raw.replaceAll('%2d', '-')) && (/auto_prepend_file/.test(raw) || /auto_prepend_file/.test(deep))
        ? html(run(body))
        : html('Shop'),
    patched: () => html('Shop'),
  },
  {
    id: 'CVE-2017-9841',
    product: 'PHPUnit 5.6.2',
    vulnerable: ({ path, body }) =>
      /phpunit\/(?:phpunit\/)?(?:src\/)?Util\/PHP\/eval-stdin\.php$/.test(path)
        ? { type: 'text/html', body: run(body) }
        : null,
  },
  {
    id: 'CVE-2024-4577',
    product: 'PHP 8.3.7 CGI on Windows',
    vulnerable: ({ raw, body, method }) => (/%ad[ds]/i.test(raw) && method === 'POST' ? html(run(body)) : null),
    patched: ({ raw }) => (/%ad/i.test(raw) ? html('Shop') : null),
  },
  {
    id: 'CVE-2024-3273',
    product: 'D-Link DNS-320L',
    vulnerable: ({ path, query }) =>
      path === '/cgi-bin/nas_sharing.cgi' &&
      /^(?:messagebus|mydlinkBRionyg)$/.test(query.get('user') ?? '') &&
      query.get('cmd') === '15'
        ? xml(
            `${shell(Buffer.from(query.get('system') ?? '', 'base64').toString())}<?xml version="1.0" encoding="UTF-8" ?>\n<config><nas_sharing><auth_state>1</auth_state></nas_sharing></config>`,
          )
        : null,
  },
  {
    id: 'CVE-2016-6277',
    product: 'Netgear R7000',
    vulnerable: ({ path }) => (path.startsWith('/cgi-bin/;') ? text(shell(path.slice(10))) : null),
  },
  {
    id: 'CVE-2019-16278',
    product: 'nostromo 1.9.6',
    vulnerable: ({ raw, path, body }) =>
      /\.%0d\.\//i.test(raw) && /\/bin\/(?:ba)?sh$/.test(path) ? text(shell(body)) : null,
    patched: ({ raw }) => (/%0d/i.test(raw) ? html('', { status: 400 }) : null),
  },
  {
    id: 'CVE-2018-16763',
    product: 'FUEL CMS 1.4.1',
    vulnerable: ({ path, query }) =>
      /\/fuel\/pages\/select\/?$/.test(path) && /system/.test(query.get('filter') ?? '')
        ? html(
            `system<div style="border:1px solid #990000">${shell(/\$a\('([^']+)'\)/.exec(query.get('filter') ?? '')?.[1] ?? '')}</div>`,
          )
        : null,
  },
  {
    id: 'CVE-2019-16759',
    product: 'vBulletin 5.5.4',
    vulnerable: ({ form, path }) =>
      path === '/ajax/render/widget_tabbedcontainer_tab_panel'
        ? json({ template: run(form.get('subWidgets[0][config][code]') ?? '') })
        : form.get('routestring') === 'ajax/render/widget_php'
          ? html(run(form.get('widgetConfig[code]') ?? ''))
          : null,
  },
  {
    id: 'CVE-2020-17496',
    product: 'vBulletin 5.6.2',
    vulnerable: ({ path, form, query }) =>
      /widget_tabbedcontainer_tab_panel/.test(`${path}${query.get('routestring')}${form.get('routestring')}`)
        ? json({ template: run(form.get('subWidgets[0][config][code]') ?? ''), css_links: [] })
        : null,
  },
  {
    id: 'CVE-2014-6271',
    product: 'bash 4.3 behind CGI',
    vulnerable: ({ path, header }) => {
      const said = ['user-agent', 'shellshock', 'referer', 'cookie', 'x-forwarded-for', 'accept']
        .map(header)
        .find((one) => /^\(\)\s*\{/.test(one))
      return /^\/(?:cgi-bin|cgi-mod|debug|test|stats|victim)/.test(path) && said
        ? text(shell(said.replace(/^\(\)\s*\{[^}]*\}\s*;?/, '').replace(/echo\s*(?:;|$)/g, '')))
        : null
    },
    patched: ({ path }) => (path.startsWith('/cgi-bin') ? text('ok') : null),
  },
  {
    id: 'CVE-2024-38856',
    product: 'OFBiz 18.12.14',
    vulnerable: ({ path, form }) => {
      const code = (form.get('groovyProgram') ?? '').replaceAll(/\\u([\da-f]{4})/gi, (_all, hex: string) =>
        String.fromCharCode(Number.parseInt(hex, 16)),
      )
      return /\/webtools\/control\/\w+\/ProgramExport$/.test(path)
        ? html(
            `<div class="content-messages errorMessage"><p>The Following Errors Occurred:</p><p>java.lang.Exception: ${shell(/['"]([^'"]+)['"]\.execute\(\)/.exec(code)?.[1] ?? '')}</p></div>`,
          )
        : null
    },
    patched: ({ path }) => (path.startsWith('/webtools/') ? html('<h2>Registered User</h2>Login') : null),
  },
  {
    id: 'CVE-2022-1388',
    product: 'BIG-IP 16.1.2',
    vulnerable: ({ path, body, header }) =>
      path === '/mgmt/tm/util/bash' && /x-f5-auth-token/i.test(header('connection'))
        ? json({
            kind: 'tm:util:bash:runstate',
            command: 'run',
            utilCmdArgs: '-c id',
            commandResult: shell((JSON.parse(body || '{}') as { utilCmdArgs?: string }).utilCmdArgs ?? ''),
          })
        : null,
    patched: ({ path }) =>
      path.startsWith('/mgmt/') ? json({ code: 401, message: 'Authorization failed' }, { status: 401 }) : null,
  },
]
