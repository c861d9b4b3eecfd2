import { expect, it } from 'vitest'
import { readHtml } from '../../../../page/html.ts'
import { createScripts } from '../scripts.ts'
import { controllerIn } from './controllers.ts'

const PAGE = `<li data-controller="line tip" data-line-url-value="/cart/items/3" data-line-min-qty-value=2 data-action="change->line#save"></li>
  <div data-controller="admin--rooms" data-admin--rooms-url-value="/rooms/free"></div>`

const endpointsIn = (code: string, file: string) => {
  const scripts = createScripts()
  scripts.handed(readHtml(PAGE, 'https://shop.test/').controlled)
  return scripts.add(`import { Controller } from "@hotwired/stimulus"\n${code}`, file)
}

it('what a page hands to a controller is what its code asks for', () => {
  const code = `export default class extends Controller {
    static values = { url: String }
    async save() {
      await fetch(this.urlValue, { method: "PATCH", body: JSON.stringify({ item: { qty: this.qtyTarget.value } }) })
      await fetch(\`\${this.urlValue}?note=\${encodeURIComponent(this.noteTarget.value)}\`)
    }
  }`
  const found = endpointsIn(code, 'https://shop.test/assets/controllers/line_controller-0a1b2c3d.js')
  expect(found.map(({ method, address }) => `${method} ${address}`)).toEqual([
    'PATCH /cart/items/3',
    'GET /cart/items/3?note=1',
  ])
  const others = endpointsIn(code, 'controllers/admin/rooms_controller')
  expect(others.map(({ method, address }) => `${method} ${address}`)).toContain('PATCH /rooms/free')
})

it('in a file of many controllers a value is handed where one name alone has it', () => {
  const code =
    'export class Line extends Controller { go() { fetch("/rows/" + this.minQtyValue + "/x"); fetch(this.urlValue) } }'
  expect(endpointsIn(code, 'https://shop.test/assets/application.js').map(({ address }) => address)).toContain(
    '/rows/2/x',
  )
})

it.each([
  ['controllers/suggest_controller', 'suggest'],
  ['https://shop.test/js/controllers/date_range_controller.js?v=2', 'date-range'],
  ['https://shop.test/js/users/index_controller.js', 'index'],
  ['https://shop.test/js/application.js', null],
])('%s', (file, name) => expect(controllerIn(file)).toBe(name))
