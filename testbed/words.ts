/** Ordinary words of which the addresses of made sites are: none says what a page does. */

/** Names of sections. */
export const WORDS = [
  ...['catalogue', 'stories', 'members', 'journal', 'gardens', 'lessons', 'workshops', 'boats', 'recipes', 'letters'],
  ...[
    'maps',
    'records',
    'teams',
    'houses',
    'trails',
    'music',
    'prints',
    'clubs',
    'lakes',
    'museums',
    'bakery',
    'clinic',
  ],
  ...['tickets', 'archive', 'library', 'rooms', 'courses', 'gallery', 'harvest', 'weather', 'transport', 'kitchen'],
]
/** Names of their pages. */
export const ENDS = ['overview', 'browse', 'view', 'display', 'pages', 'listing', 'desk', 'corner', 'board', 'shelf']
