/** Colours as a person tells them apart (WCAG 2.2, relative luminance). */
import { parentOf } from './tree.ts'

export interface Colour {
  readonly r: number
  readonly g: number
  readonly b: number
  readonly a: number
}

const WHITE: Colour = { r: 255, g: 255, b: 255, a: 1 }

/** Of a computed style; null for notations other than rgb(). */
export const colourOf = (text: string): Colour | null => {
  const parts = /rgba?\(([^)]+)\)/
    .exec(text)?.[1]
    ?.split(/[,/ ]+/)
    .map(Number)
  const [r, g, b, a = 1] = parts ?? []
  return r === undefined || g === undefined || b === undefined ? null : { r, g, b, a }
}

/** What an element stands on; null where that is its own picture. */
export const groundOf = (element: Element): Colour | null => {
  for (let one: Element | null = element; one; one = parentOf(one)) {
    const style = getComputedStyle(one)
    if (style.backgroundImage !== 'none' && one === element) return null
    const colour = colourOf(style.backgroundColor)
    if (colour && colour.a > 0.5) return colour
  }
  return WHITE
}

const luminance = ({ r, g, b }: Colour): number => linear(r) * 0.2126 + linear(g) * 0.7152 + linear(b) * 0.0722

const linear = (value: number): number => {
  const share = value / 255
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
}

/** 1 to 21, two decimals. */
export const contrastOf = (one: Colour | null, other: Colour | null): number | null => {
  if (!one || !other) return null
  const [first, second] = [luminance(one), luminance(other)]
  const ratio = (Math.max(first, second) + 0.05) / (Math.min(first, second) + 0.05)
  return Math.round(ratio * 100) / 100
}
