import { expect, it } from 'vitest'
import {
  routeParameters,
  routeSegments,
  withDocumentQuery,
  withFragment,
  withParts,
  withRouteSegment,
} from './addresses.ts'
import { routeNamesIn } from './route-names.ts'

const PLAIN = 'https://shop.test/list?a=1'
const ROUTE = 'https://shop.test/?a=1#/help/returns?q=tent'

it.each([
  [
    'a parameter of the document stands before the route',
    withDocumentQuery(ROUTE, 'b', '2'),
    'https://shop.test/?a=1&b=2#/help/returns?q=tent',
  ],
  ['a fragment where there is no route', withFragment(PLAIN, 'x'), 'https://shop.test/list?a=1#x'],
  [
    'a parameter of the route in place of a fragment',
    withFragment(ROUTE, 'x'),
    'https://shop.test/?a=1#/help/returns?q=tent&qx=x',
  ],
  [
    'parameters behind the #',
    withParts(PLAIN, [
      ['q', 'x'],
      ['r', 'y'],
    ]),
    'https://shop.test/list?a=1#q=x&r=y',
  ],
  ['a parameter of the route in its place', withParts(ROUTE, [['q', 'x']]), 'https://shop.test/?a=1#/help/returns?q=x'],
  [
    'a part of the route, its brackets encoded',
    withRouteSegment(ROUTE, 1, 'a(b)/c'),
    'https://shop.test/?a=1#/help/a%28b%29%2Fc?q=tent',
  ],
  [
    'a route behind a mark',
    withRouteSegment('https://shop.test/#!/help/returns', 1, 'x'),
    'https://shop.test/#!/help/x',
  ],
])('%s', (_, address, expected) => expect(address).toBe(expected))

it('a route has names and parts of its own', () => {
  expect([routeParameters(ROUTE), routeSegments(ROUTE)]).toEqual([['q'], [1]])
  expect([routeParameters(PLAIN), routeSegments(PLAIN)]).toEqual([[], []])
})

it.each([
  ['a map of Angular', 'constructor(){this.src=t(e(R).snapshot.queryParamMap.get("v")??"a")}', ['v']],
  [
    'one that is subscribed to',
    'e(R).queryParamMap.subscribe(n=>{let r=n.get("q")??"";this.sort=n.get("sort")})',
    ['q', 'sort'],
  ],
  ['the query of a route of Vue', 'const r=useRoute();x.innerHTML=r.route.query.tone', ['tone']],
  ['an object', 'p.queryParams["next"]', ['next']],
  ['nothing of other maps', 'cache.get("q");headers.get("x")', []],
  [
    'what a listener is given',
    'c(de).queryParams.subscribe(l=>{this.a=l.sheet||"",l.film&&(this.f=s.of(l.film)),l.go()})',
    ['sheet', 'film'],
  ],
  ['what a listener takes apart', 'r.queryParams.pipe(map(({tab:e,film})=>e))', ['tab', 'film']],
  ['blanks without end, in no time', `queryParams.subscribe(function${' '.repeat(560)}\n`.repeat(3_000), []],
  ['what an older listener is given', 'r.queryParams.subscribe(function(t){return t["q"]})', ['q']],
])('a router that reads %s', (_, code, names) => expect(routeNamesIn(code)).toEqual(names))
