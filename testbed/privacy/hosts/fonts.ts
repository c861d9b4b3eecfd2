/** Hosts of fonts. The files are no fonts; asking for them is the behaviour. */
import type { Answer } from '../page.ts'
import type { Hosts } from './hosts.ts'

const css = (family: string, file: string): Answer => ({
  type: 'text/css',
  headers: [['Access-Control-Allow-Origin', '*']],
  body: `@font-face{font-family:'${family}';src:url(${file}) format('woff2')}body,h1{font-family:'${family}',sans-serif}`,
})
const font: Answer = { type: 'font/woff2', headers: [['Access-Control-Allow-Origin', '*']], body: Buffer.alloc(64) }

export const FONTS: Hosts = {
  'fonts.googleapis.com': { '*': css('Lato', 'https://fonts.gstatic.com/s/lato/v24/a.woff2') },
  'fonts.gstatic.com': { '*': font },
  'use.typekit.net': { '/abc1def.css': css('Proxima', 'https://use.typekit.net/af/1/l'), '*': font },
  'p.typekit.net': { '*': { type: 'text/css', body: '' } },
  'fonts.bunny.net': { '/css': css('Inter', 'https://fonts.bunny.net/inter/files/a.woff2'), '*': font },
}
