import { findProduct } from '../shop/catalogue.ts'
import { LOGO, productPicture, SCENE } from '../shop/pictures.ts'
import type { Reply, Route } from '../shop/route.ts'
import { STYLE } from '../shop/style.ts'
import { plantedSecrets } from './secrets.ts'

const text = (body: string, type: string): Reply => ({ body, type, headers: [['Cache-Control', 'max-age=600']] })

const css: Route = { path: '/static/shop.css', answer: () => text(STYLE, 'text/css; charset=utf-8') }
const logo: Route = { path: '/static/logo.svg', answer: () => text(LOGO, 'image/svg+xml') }

const scene: Route = { path: '/static/scene.svg', answer: () => text(SCENE, 'image/svg+xml') }

const picture: Route = {
  path: '/static/pictures/*',
  answer: ({ url }) => {
    const product = findProduct(url.pathname.slice('/static/pictures/'.length).replace(/\.svg$/, ''))
    return product === null ? null : text(productPicture(product), 'image/svg+xml')
  },
}

const BEHAVIOUR = `document.addEventListener('submit', function (event) {
  var button = event.target.querySelector('button')
  if (button) button.disabled = true
})
`

const script: Route = {
  path: '/static/shop.js',
  answer: ({ shop }) =>
    text(
      shop.fixed ? BEHAVIOUR : `${plantedSecrets()}${BEHAVIOUR}//# sourceMappingURL=shop.js.map\n`,
      'text/javascript; charset=utf-8',
    ),
}

const map: Route = {
  path: '/static/shop.js.map',
  answer: ({ shop }) =>
    shop.fixed
      ? null
      : text(
          JSON.stringify({
            version: 3,
            sources: ['src/shop.ts'],
            sourcesContent: [BEHAVIOUR],
            names: [],
            mappings: 'AAAA',
          }),
          'application/json',
        ),
}

const LISTING = `<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 3.2 Final//EN">
<html><head><title>Index of /static</title></head><body><h1>Index of /static</h1>
<table><tr><th><a href="?C=N;O=D">Name</a></th><th><a href="?C=M;O=A">Last modified</a></th><th><a href="?C=S;O=A">Size</a></th></tr>
<tr><td><a href="/">Parent Directory</a></td><td></td><td>-</td></tr>
<tr><td><a href="shop.css">shop.css</a></td><td>2024-05-02 11:20</td><td>3.1K</td></tr>
<tr><td><a href="shop.js">shop.js</a></td><td>2024-05-02 11:20</td><td>1.2K</td></tr></table>
<address>Apache/2.4.41 (Ubuntu) Server at shop Port 443</address></body></html>`

const listing: Route = {
  path: '/static/',
  answer: ({ shop }) => (shop.fixed ? null : text(LISTING, 'text/html; charset=utf-8')),
}

export const STATIC_ROUTES: readonly Route[] = [css, logo, scene, picture, script, map, listing]
