/** What every site of the testbed has around its behaviour, so that nothing else is worth a finding. */
import { type Answer, html, type PrivacyPage } from './page.ts'

export const draw = (page: PrivacyPage): Answer => ({
  ...html(document(page, page.body ?? '')),
  headers: page.headers ?? [],
})

/** A further page of the site. */
export const drawPath = (page: PrivacyPage, path: string): Answer | null => {
  if (page.footer === false) return null
  if (path === '/privacy') return html(document({ ...page, head: '', headers: [] }, policy(page)))
  if (path === '/imprint') return html(document({ ...page, head: '', headers: [] }, IMPRINT))
  return null
}

const document = (page: PrivacyPage, body: string): string => `<!doctype html>
<html lang="${page.lang ?? 'en'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${page.name}</title>
<link rel="icon" href="data:,">
${page.head ?? ''}
</head>
<body>
<header><h1>Garden tools</h1><nav><a href="/">Home</a></nav></header>
<main><p>Spades, rakes and forks, made in a small workshop since 1927.</p></main>
${body}
${page.footer === false ? '' : FOOTER}
</body>
</html>`

const FOOTER = `<footer><a href="/privacy">Privacy policy</a> <a href="/imprint">Imprint</a></footer>`

const IMPRINT = '<article><h2>Imprint</h2><p>Garden Tools Ltd, 1 Orchard Lane, Sampleton. Phone 0000 000.</p></article>'

const policy = ({ names = [] }: PrivacyPage): string => `<article><h2>Privacy policy</h2>
<p>Controller: Garden Tools Ltd, 1 Orchard Lane, Sampleton. You have the right to access, rectification and erasure.</p>
<p>We keep a cookie with your choice for six months.</p>
${names.map((name) => `<p>With your consent we use ${name}. Purpose, storage period and recipients: on request.</p>`).join('\n')}
</article>`
