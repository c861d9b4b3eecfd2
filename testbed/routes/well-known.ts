import type { Reply, Route } from '../shop/route.ts'

const text = (body: string): Reply => ({ body, type: 'text/plain; charset=utf-8' })
const YEAR = 365 * 86_400_000

const securityTxt: Route = {
  path: '/.well-known/security.txt',
  answer: ({ shop }) =>
    shop.fixed
      ? text(`Contact: mailto:security@${shop.host}
Expires: ${new Date(Date.now() + YEAR / 2).toISOString().replace(/\.\d+Z$/, 'Z')}
Canonical: ${shop.httpsOrigin}/.well-known/security.txt
Preferred-Languages: en
`)
      : null,
}

const robots: Route = {
  path: '/robots.txt',
  answer: ({ shop }) =>
    text(
      shop.fixed
        ? 'User-agent: *\nDisallow: /cart\nDisallow: /checkout\n'
        : 'User-agent: *\nDisallow: /admin-old/\nDisallow: /backup/\nDisallow: /cart\n',
    ),
}

const reports: Route = { path: '/csp-reports', answer: () => ({ status: 204, body: '', type: 'text/plain' }) }

export const WELL_KNOWN_ROUTES: readonly Route[] = [securityTxt, robots, reports]
