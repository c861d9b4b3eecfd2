import type { Product } from './catalogue.ts'

const SHAPES: Readonly<Record<Product['kind'], string>> = {
  tents: 'M70 220 L200 78 L330 220 Z M200 78 L200 220 M165 220 L200 150 L235 220',
  packs: 'M140 110 q0 -40 60 -40 q60 0 60 40 v95 q0 20 -20 20 h-80 q-20 0 -20 -20 Z M160 165 h80 M175 70 q25 -30 50 0',
  stoves: 'M150 130 h100 l-10 60 h-80 Z M165 190 l-20 35 M235 190 l20 35 M200 190 v35 M180 118 q20 -50 40 0',
  clothing: 'M150 85 l50 20 l50 -20 l50 45 l-30 30 l-15 -12 v75 h-110 v-75 l-15 12 l-30 -30 Z',
}

/** A quiet landscape with the outline of the thing. 400 by 300. */
export const productPicture = ({ hue, kind, name }: Product): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 300" role="img"><title>${name}</title>
<rect width="400" height="300" fill="hsl(${hue} 34% 90%)"/>
<circle cx="318" cy="70" r="30" fill="hsl(${hue} 60% 97%)"/>
<path d="M0 210 L90 140 L150 190 L240 110 L400 220 V300 H0 Z" fill="hsl(${hue} 30% 80%)"/>
<path d="M0 250 L120 200 L220 245 L320 195 L400 240 V300 H0 Z" fill="hsl(${hue} 32% 68%)"/>
<path d="${SHAPES[kind]}" fill="hsl(${hue} 45% 97%)" stroke="hsl(${hue} 45% 22%)" stroke-width="6" stroke-linejoin="round" stroke-linecap="round"/>
</svg>`

export const LOGO = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48"><rect width="48" height="48" rx="10" fill="#1f3d36"/><path d="M8 36 L20 14 L27 26 L31 20 L40 36 Z" fill="none" stroke="#f4efe4" stroke-width="3.4" stroke-linejoin="round"/></svg>`
