import type { Route } from '../shop/route.ts'
import { ABOUT_ROUTES } from './about.ts'
import { ACCOUNT_ROUTES } from './account.ts'
import { CART_ROUTES } from './cart.ts'
import { CRAWL_ROUTES } from './crawl.ts'
import { HOME_ROUTES } from './home.ts'
import { PRODUCT_ROUTES } from './product.ts'
import { REPAIR_ROUTES } from './repairs.ts'
import { STATIC_ROUTES } from './static.ts'
import { WELL_KNOWN_ROUTES } from './well-known.ts'

/** Every route of the shop, the first that answers wins. A new group adds its line here. */
export const ROUTES: readonly Route[] = [
  ...HOME_ROUTES,
  ...PRODUCT_ROUTES,
  ...CART_ROUTES,
  ...ACCOUNT_ROUTES,
  ...ABOUT_ROUTES,
  ...STATIC_ROUTES,
  ...WELL_KNOWN_ROUTES,
  ...REPAIR_ROUTES,
  ...CRAWL_ROUTES,
]
