import { html, type Markup } from '../shop/html.ts'
import type { Ask } from '../shop/route.ts'

/** The fixed twin puts a token into every form that changes something. */
export const tokenField = (ask: Ask, token: string): Markup | null =>
  ask.shop.fixed ? html`<input type="hidden" name="token" value="${token}">` : null
