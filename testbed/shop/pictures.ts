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

/** Evening in the hills, for the start page. */
export const SCENE = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 400" role="img"><title>A tent in the hills</title>
<circle cx="450" cy="130" r="58" fill="#e9b872"/>
<path d="M0 300 L110 180 L180 240 L300 110 L420 250 L500 190 L640 290 V400 H0 Z" fill="#2f5a50"/>
<path d="M300 110 L270 145 L296 152 L312 138 L330 150 L338 153 Z" fill="#f4efe4"/>
<path d="M0 350 L150 270 L290 340 L430 280 L640 350 V400 H0 Z" fill="#3f7264"/>
<path d="M0 400 V372 Q320 330 640 372 V400 Z" fill="#17302a"/>
<path d="M236 372 L300 292 L364 372 Z" fill="#d98e4f"/>
<path d="M284 372 L300 318 L316 372 Z" fill="#f6dfb0"/>
<path d="M520 366 v-46 m-14 24 l14 -40 l14 40 z M560 368 v-34 m-11 18 l11 -30 l11 30 z" fill="#17302a" stroke="#17302a" stroke-width="5"/>
</svg>`
