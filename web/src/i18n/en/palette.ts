/** To any place by a few letters. */
export const PALETTE = {
  goToHint: 'A page, a domain, a run',
  goToPlaces: 'Places',
  goToNone: 'Nothing is called that.',
  placePage: 'page',
  placeDomain: 'domain',
  placeRun: 'run',
} as const
