/**
 * Names of fields by which people choose a language. Signed in, another one is kept with the account: its pages read otherwise from then on,
 * and what a run knows them by (that it is signed in, that nothing has changed) is gone. So the language stays as it is.
 */
export const CHOOSES_LANGUAGE = /(?:^|[^a-z])lang(?:[^a-z]|$|codes?|ids?|prefs?)|language|locale|sprache|langue|idioma/i
