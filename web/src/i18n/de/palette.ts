/** Mit wenigen Buchstaben an jeden Ort. */
export const PALETTE = {
  goToHint: 'Eine Seite, eine Domain, ein Lauf',
  goToPlaces: 'Orte',
  goToNone: 'So heißt nichts.',
  placePage: 'Seite',
  placeDomain: 'Domain',
  placeRun: 'Lauf',
} as const
