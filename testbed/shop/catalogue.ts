/** The goods of the demo shop. Everything here is invented. */
export interface Product {
  readonly slug: string
  readonly name: string
  readonly kind: 'tents' | 'packs' | 'stoves' | 'clothing'
  /** Euro cents. */
  readonly price: number
  readonly weight: string
  readonly line: string
  readonly text: string
  /** Base colour of its picture, degrees of hue. */
  readonly hue: number
}

export const KINDS = { tents: 'Tents', packs: 'Packs', stoves: 'Stoves', clothing: 'Clothing' } as const

export const PRODUCTS: readonly Product[] = [
  {
    slug: 'ridgeline-two',
    name: 'Ridgeline Two',
    kind: 'tents',
    price: 42900,
    weight: '1.9 kg',
    line: 'A two-person tent that shrugs off the night.',
    text: 'Two doors, two porches and a fly that pitches first, so the inner stays dry when the weather does not wait.',
    hue: 152,
  },
  {
    slug: 'lantern-solo',
    name: 'Lantern Solo',
    kind: 'tents',
    price: 28900,
    weight: '1.1 kg',
    line: 'One pole, one person, four minutes.',
    text: 'A trekking-pole shelter for people who count grams but still like to sit upright with a cup of tea.',
    hue: 38,
  },
  {
    slug: 'haul-45',
    name: 'Haul 45',
    kind: 'packs',
    price: 17900,
    weight: '1.3 kg',
    line: 'A pack for a week, quiet on the shoulders.',
    text: 'Roll top, side entry and a frame that moves with the hips. The rain cover lives in its own pocket.',
    hue: 205,
  },
  {
    slug: 'commuter-18',
    name: 'Commuter 18',
    kind: 'packs',
    price: 9900,
    weight: '0.6 kg',
    line: 'Monday to Friday, and the hill after work.',
    text: 'A padded sleeve, a bottle on either side and a back panel that lets the air through.',
    hue: 262,
  },
  {
    slug: 'ember-stove',
    name: 'Ember Stove',
    kind: 'stoves',
    price: 6900,
    weight: '84 g',
    line: 'Boils half a litre before the sun is up.',
    text: 'Folds into its own cup. The burner is wide, the flame is low, and the wind finds no way in.',
    hue: 14,
  },
  {
    slug: 'kettle-900',
    name: 'Kettle 900',
    kind: 'stoves',
    price: 3400,
    weight: '138 g',
    line: 'Titanium, with a lid that stays where it is.',
    text: 'Nine hundred millilitres, a bail handle and a spout that pours without drama.',
    hue: 190,
  },
  {
    slug: 'drizzle-shell',
    name: 'Drizzle Shell',
    kind: 'clothing',
    price: 21900,
    weight: '310 g',
    line: 'Three layers against everything from above.',
    text: 'Taped seams, a hood that turns with the head, and pockets that stay clear of a hip belt.',
    hue: 218,
  },
  {
    slug: 'moss-fleece',
    name: 'Moss Fleece',
    kind: 'clothing',
    price: 8900,
    weight: '280 g',
    line: 'The warm one you will not want to wash.',
    text: 'Recycled yarn, flat seams, thumb loops. Soft enough for the train home.',
    hue: 96,
  },
]

export const findProduct = (slug: string): Product | null => PRODUCTS.find((product) => product.slug === slug) ?? null

export const searchProducts = (words: string): readonly Product[] => {
  const wanted = words.toLowerCase().trim()
  return PRODUCTS.filter((product) => `${product.name} ${product.kind} ${product.line}`.toLowerCase().includes(wanted))
}

export const formatPrice = (cents: number): string => `€ ${(cents / 100).toFixed(2)}`
