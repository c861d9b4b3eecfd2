/** Products whose interfaces tell or do what they should not: the second half. */
import { createHash } from 'node:crypto'
import { arithmetic, html, json, PHPINFO, type Truth, text, xml } from './products.ts'

export const APPLIANCES: readonly Truth[] = [
  {
    id: 'CVE-2024-27198',
    product: 'TeamCity 2023.11.3',
    vulnerable: ({ raw, header }) => {
      const inner = /[?&]jsp=([^&;]+);\.jsp/.exec(raw)?.[1] ?? ''
      if (!/^\/app\/rest\/(?:server|users)/.test(decodeURIComponent(inner))) return null
      const server = {
        version: '2023.11.3 (build 147512)',
        versionMajor: 2023,
        versionMinor: 11,
        buildNumber: '147512',
        internalId: '1a',
        webUrl: 'http://shop.test',
      }
      if (/users/.test(inner))
        return /json/.test(header('accept'))
          ? json({ count: 1, user: [{ username: 'admin', id: 1, href: '/app/rest/users/id:1' }] })
          : xml(
              '<?xml version="1.0" encoding="UTF-8" standalone="yes"?><users count="1"><user username="admin" id="1" href="/app/rest/users/id:1"/></users>',
              { type: 'application/xml' },
            )
      return /json/.test(header('accept'))
        ? json(server)
        : xml(
            '<?xml version="1.0" encoding="UTF-8" standalone="yes"?><server version="2023.11.3 (build 147512)" versionMajor="2023" versionMinor="11" buildNumber="147512" internalId="1a" role="main_node" webUrl="http://shop.test"><projects href="/app/rest/projects"/></server>',
            { type: 'application/xml' },
          )
    },
  },
  {
    id: 'CVE-2023-35078',
    product: 'Ivanti EPMM 11.10',
    vulnerable: ({ path }) =>
      /^\/mifs\/aad\/api\/v2\/(?:admins\/users|authorized\/users|ping)/.test(path)
        ? json(
            /ping/.test(path)
              ? { results: { apiVersion: 2.0, vspVersion: 'VSP 11.10.0.0 Build 57' } }
              : {
                  results: [
                    {
                      id: 1,
                      uuid: 'a',
                      userId: 'admin',
                      name: 'admin',
                      email: 'admin@shop.test',
                      userSource: 76,
                      lastLoginIp: '10.0.0.1',
                      localUser: true,
                      roles: ['ROLE_ADMIN'],
                    },
                  ],
                  totalCount: 1,
                  resultCount: 1,
                },
          )
        : null,
    patched: ({ path }) => (path.startsWith('/mifs/') ? html('', { status: 401 }) : null),
  },
  {
    id: 'CVE-2022-40684',
    product: 'FortiOS 7.2.1',
    vulnerable: ({ path, header, method, body }) =>
      /^\/api\/v2\/cmdb\/system\/admin/.test(path) && /for="?\[?127\.0\.0\.1/.test(header('forwarded'))
        ? method === 'PUT'
          ? json(
              {
                error: /ssh-public-key1/.test(body) ? -37 : 0,
                status: 'error',
                http_status: 500,
                cli_error: 'SSH key error: Invalid SSH public key.\n',
              },
              { status: 500 },
            )
          : json({
              http_method: 'GET',
              results: [
                {
                  name: 'admin',
                  q_origin_key: 'admin',
                  accprofile: 'super_admin',
                  vdom: [{ name: 'root' }],
                  'ssh-public-key1': '',
                  password: 'ENC XXXX',
                },
              ],
              vdom: 'root',
              status: 'success',
              http_status: 200,
            })
        : null,
    patched: ({ path }) => (path.startsWith('/api/v2') ? html('', { status: 401 }) : null),
  },
  {
    id: 'CVE-2023-28432',
    product: 'MinIO 2023-03-13',
    vulnerable: ({ path, method }) =>
      path === '/minio/bootstrap/v1/verify' && method === 'POST'
        ? text(
            '{"MinioEndpoints":[{"Legacy":false,"SetCount":1}],"MinioEnv":{"MINIO_ACCESS_KEY_FILE":"access_key","MINIO_ROOT_PASSWORD":"hunter22hunter","MINIO_ROOT_USER":"minioadmin-vulhub","MINIO_SECRET_KEY_FILE":"secret_key"}}',
          )
        : null,
    patched: ({ path }) =>
      path.startsWith('/minio/') ? xml('<Error><Code>AccessDenied</Code></Error>', { status: 403 }) : null,
  },
  {
    id: 'CVE-2023-49103',
    product: 'ownCloud graphapi 0.3.0',
    vulnerable: ({ path }) =>
      /\/apps\/graphapi\/vendor\/microsoft\/microsoft-graph\/tests\/GetPhpInfo\.php/.test(path)
        ? html(
            `${PHPINFO}<tr><td class="e">DOCUMENT_ROOT </td><td class="v">/var/www/owncloud </td></tr><tr><td class="e">OWNCLOUD_ADMIN_USERNAME </td><td class="v">admin </td></tr><tr><td class="e">OWNCLOUD_ADMIN_PASSWORD </td><td class="v">hunter22 </td></tr>`,
          )
        : null,
  },
  {
    id: 'CVE-2017-7921',
    product: 'Hikvision DS-2CD2032 5.4.0',
    vulnerable: ({ path, query }) => {
      if (query.get('auth') !== 'YWRtaW46MTEK') return null
      if (/\/system\/deviceInfo$/i.test(path))
        return xml(
          '<?xml version="1.0" encoding="UTF-8"?><DeviceInfo version="1.0" xmlns="http://www.hikvision.com/ver10/XMLSchema"><deviceName>IP CAMERA</deviceName><deviceID>88</deviceID><model>DS-2CD2032-I</model><firmwareVersion>V5.4.0</firmwareVersion><firmwareReleasedDate>build 160530</firmwareReleasedDate></DeviceInfo>',
          { type: 'application/xml' },
        )
      return /\/Security\/users$/i.test(path)
        ? xml(
            '<?xml version="1.0" encoding="UTF-8"?><UserList version="1.0" xmlns="http://www.hikvision.com/ver10/XMLSchema"><User version="1.0"><id>1</id><userName>admin</userName><priority>high</priority><userLevel>Administrator</userLevel></User></UserList>',
            { type: 'application/xml' },
          )
        : null
    },
    patched: ({ path }) =>
      /^\/(?:system|Security)\//.test(path)
        ? xml(
            '<ResponseStatus><statusCode>4</statusCode><statusString>Invalid Operation</statusString></ResponseStatus>',
            { status: 401 },
          )
        : null,
  },
  {
    id: 'CVE-2018-9995',
    product: 'TBK DVR4104',
    vulnerable: ({ path, query, header }) =>
      path === '/device.rsp' &&
      query.get('opt') === 'user' &&
      (query.get('cmd') === 'list' || /uid=admin/.test(header('cookie')))
        ? text(
            '{"result":0,"list":[{"uid":"admin","pwd":"hunter22","role":2,"enmac":0,"mac":"00:00:00:00:00:00","playback":4294967295,"view":4294967295,"rview":4294967295,"ptz":4294967295}]}',
          )
        : null,
    patched: ({ path }) => (path === '/device.rsp' ? text('{"result":-1}') : null),
  },
  {
    id: 'CVE-2020-25078',
    product: 'D-Link DCS-2530L',
    vulnerable: ({ path }) => (path === '/config/getuser' ? text('name=admin\r\npass=hunter22\r\npriv=1\r\n') : null),
    patched: ({ path }) => (path.startsWith('/config/') ? html('', { status: 401 }) : null),
  },
  {
    id: 'CVE-2023-29489',
    product: 'cPanel 11.109',
    vulnerable: ({ path }) =>
      path.startsWith('/cpanelwebcall/')
        ? html(`<h1>HTTP error 400</h1><p>Invalid webcall ID: ${path.slice(15)}</p>`, { status: 400 })
        : null,
    patched: ({ path }) =>
      path.startsWith('/cpanelwebcall/')
        ? html('<h1>HTTP error 400</h1><p>Invalid webcall ID</p>', { status: 400 })
        : null,
  },
  {
    id: 'CVE-2016-4977',
    product: 'Spring Security OAuth 2.0.9',
    vulnerable: ({ path, query }) =>
      path.endsWith('/oauth/authorize')
        ? html(
            `<h1>OAuth Error</h1><p>error="unsupported_response_type", error_description="Unsupported response types: [${(query.get('response_type') ?? '').replace(/\$\{([^}]*)\}/, (_all, inner: string) => arithmetic(inner) || inner)}]"</p>`,
            { status: 400 },
          )
        : null,
    patched: ({ path }) =>
      path.endsWith('/oauth/authorize')
        ? html('<h1>OAuth Error</h1><p>unsupported_response_type</p>', { status: 400 })
        : null,
  },
  {
    id: 'CVE-2021-26084',
    product: 'Confluence 7.12.4',
    vulnerable: ({ path, form, query }) => {
      const value = form.get('queryString') ?? query.get('queryString') ?? ''
      if (
        !/^\/(?:confluence\/)?pages\/(?:createpage|doenterpagevariables)/.test(path) &&
        !/templates2?\/viewpagetemplate/.test(path)
      )
        return null
      const inner = /\\u0027\s*\+\s*(.*?)\s*\+\s*\\u0027/.exec(value)?.[1]
      const tail = /\\u0027([^\\]*)$/.exec(value)?.[1] ?? ''
      const shown =
        inner === undefined
          ? value
          : `aaaa${/^#?\{/.test(inner) ? `{${arithmetic(inner)}=null}` : arithmetic(inner)}${tail}`
      return html(
        `<title>Create - Confluence</title><input type="hidden" name="queryString" value="${shown.replaceAll('"', '&quot;')}">`,
      )
    },
    patched: ({ path, form }) =>
      path.startsWith('/pages/')
        ? html(`<input name="queryString" value="${(form.get('queryString') ?? '').replaceAll('"', '&quot;')}">`)
        : null,
  },
  {
    id: 'CVE-2020-9496',
    product: 'OFBiz 17.12.03',
    vulnerable: ({ path, body }) =>
      /\/webtools\/control\/xmlrpc/.test(path)
        ? xml(
            `<?xml version="1.0" encoding="UTF-8"?><methodResponse xmlns:ex="http://ws.apache.org/xmlrpc/namespaces/extensions"><fault><value><struct><member><name>faultCode</name><value><i4>0</i4></value></member><member><name>faultString</name><value>No such service [${/<methodName>([^<]*)/.exec(body)?.[1] ?? ''}]</value></member></struct></value></fault></methodResponse>`,
          )
        : null,
    patched: ({ path }) => (/xmlrpc/.test(path) ? html('Not allowed', { status: 403 }) : null),
  },
  {
    id: 'CVE-2024-0012',
    product: 'PAN-OS 11.1.4',
    vulnerable: ({ path, header }) =>
      path.startsWith('/php/ztp_gate.php/')
        ? header('x-pan-authcheck') === 'off'
          ? html(
              '<title>Zero Touch Provisioning</title><script src="/scripts/cache/mainui.javascript?__version=1"></script><div>Zero Touch Provisioning (ZTP)</div>',
              { headers: { 'Set-Cookie': 'PHPSESSID=1; path=/' } },
            )
          : html('', { status: 302, headers: { Location: '/php/login.php' } })
        : null,
    patched: ({ path }) =>
      path.startsWith('/php/') ? html('', { status: 302, headers: { Location: '/php/login.php' } }) : null,
  },
  {
    id: 'CVE-2023-46805',
    product: 'Ivanti Connect Secure 22.3',
    vulnerable: ({ raw }) =>
      /^\/api\/v1\/totp\/user-backup-code\/\.\.\/\.\.\/system\/system-information/.test(raw)
        ? json({
            'system-information': {
              'hardware-model': 'ISA4000-V',
              'host-name': 'vpn',
              'serial-number': 'VASP1',
              'software-inventory': { software: { build: '1647', name: 'IVE-OS', version: '22.3R1' } },
            },
          })
        : null,
    patched: ({ raw }) => (raw.startsWith('/api/v1/') ? html('', { status: 403 }) : null),
  },
  {
    id: 'CVE-2017-8917',
    product: 'Joomla 3.7.0',
    vulnerable: ({ query }) => {
      const list = query.get('list[fullordering]') ?? ''
      if (query.get('option') !== 'com_fields') return null
      const inner = /concat\(1,\s*md5\((\d+)\)/i.exec(list)?.[1]
      return /updatexml|extractvalue/i.test(list)
        ? html(
            `<h1>500</h1><p>XPATH syntax error: &#039;${inner === undefined ? '~10.11.3-MariaDB' : createHash('md5').update(inner).digest('hex')}&#039;</p>`,
            { status: 500 },
          )
        : html('')
    },
    patched: ({ query }) => (query.get('option') === 'com_fields' ? html('Error', { status: 403 }) : null),
  },
]
