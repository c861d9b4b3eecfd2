import { describe, expect, it } from 'vitest'
import { readLabel } from './buttons.ts'
import { fold } from './fold.ts'
import { LANGUAGES } from './languages.ts'
import { policyKindOf, policyKindOfAddress } from './links.ts'
import { asksToPay } from './pay.ts'
import { namesCookies, readConsentText } from './text.ts'

const EU = 'bg cs da de el en es et fi fr ga hr hu it lt lv mt nl pl pt ro sk sl sv'.split(' ')

describe('the list', () => {
  it('has the 24 official languages of the EU and five more, with words for each role', () => {
    const known = LANGUAGES.map(({ language }) => language)
    expect(EU.filter((language) => !known.includes(language))).toEqual([])
    expect(known).toEqual(expect.arrayContaining(['no', 'is', 'uk', 'tr', 'ru']))
    for (const { language, ...words } of LANGUAGES) {
      for (const [kind, list] of Object.entries(words)) {
        expect(list.length, `${language} ${kind}`).toBeGreaterThan(0)
        expect(list.map(fold).includes(''), `${language} ${kind}`).toBe(false)
      }
    }
  })

  it('gives no phrase two roles, in whatever languages', () => {
    const roles = new Map<string, Set<string>>()
    for (const words of LANGUAGES) {
      for (const role of ['accept', 'acknowledge', 'reject', 'settings', 'save', 'revoke'] as const) {
        for (const phrase of words[role]) roles.set(fold(phrase), (roles.get(fold(phrase)) ?? new Set()).add(role))
      }
    }
    expect([...roles].filter(([, found]) => found.size > 1)).toEqual([])
  })
})

describe('labels as they are on sites', () => {
  it.each([
    ['capitals and a sign', 'ACCEPT ALL & CLOSE ✕', 'accept'],
    ['curly apostrophe', 'J’accepte', 'accept'],
    ['no-break space', 'Nur\u00a0notwendige Cookies', 'reject'],
    ['Turkish capitals', 'TÜMÜNÜ REDDET', 'reject'],
    ['Greek capitals without accents', 'ΑΠΟΔΟΧΗ ΟΛΩΝ', 'accept'],
    ['final sigma', 'Ρυθμίσεις', 'settings'],
    ['accents left out', 'Odmitnout vse', 'reject'],
    ['sharp s as ss', 'AKZEPTIEREN UND SCHLIESSEN', 'accept'],
    ['full width', 'Ａｃｃｅｐｔ ａｌｌ', 'accept'],
    ['arrow at the end', 'Continuer sans accepter →', 'reject'],
    ['decomposed letters', 'Zezwo\u0301l', 'accept'],
    ['invisible characters', 'Ac\u200bcept\u00ad all', 'accept'],
    ['only the necessary', 'Accept only what is necessary', 'reject'],
    ['not', "Don't accept cookies", 'reject'],
    ['nicht', 'Ich akzeptiere nicht', 'reject'],
    ['nie', 'Nie zgadzam się', 'reject'],
    ['continue without', 'Proceed without accepting', 'reject'],
    ['choice', 'Save my choices', 'save'],
    ['second layer', 'Manage Options', 'settings'],
    ['way back', 'Einwilligung widerrufen', 'revoke'],
    ['notice', 'Got it!', 'acknowledge'],
    ['notice in Polish', 'Rozumiem', 'acknowledge'],
    ['for me', 'OK for me', 'acknowledge'],
    ['for me in French', 'OK pour moi', 'acknowledge'],
    ['for me in German', 'Für mich OK', 'acknowledge'],
    ['mixed with a number', 'Accept all (142)', 'accept'],
  ] as const)('%s: %s', (_name, label, role) => {
    expect(readLabel(label)?.role ?? null).toBe(role)
  })

  it.each([
    ['both at once', 'Accept or decline'],
    ['a condition', 'I accept the required terms of carriage'],
    ['payment', 'Accepted payment methods'],
    ['articles', 'Alle Artikel akzeptieren'],
    [
      'a sentence',
      'By using this site you accept that we and our 842 partners store and read information on your device',
    ],
    ['a shop', 'Add to basket'],
    ['an offer refused', 'Reject this offer and see cheaper ones'],
    ['partners', 'Our partners'],
    ['a sign', '×'],
    ['nothing', '   '],
    ['a year of text', 'accept '.repeat(10_000)],
  ])('%s is none', (_name, label) => {
    expect(readLabel(label)).toBeNull()
  })

  it('the language of the page decides where two share a phrase', () => {
    expect(readLabel('Accepter', 'da')?.language).toBe('da')
    expect(readLabel('Accepter', 'fr')?.language).toBe('fr')
  })
})

/** What notices say in one sentence, with the buttons beside it: accept, reject or null, settings or null. */
const USUAL: readonly (readonly [string, string, string, string | null, string | null])[] = [
  ['en', 'This website uses cookies to ensure you get the best experience.', 'Allow cookies', 'Decline', null],
  ['en', 'We use cookies to improve your experience.', 'Accept & continue', null, 'Manage or reject'],
  ['en', 'This site uses cookies.', 'Accept all & visit the site', 'Only accept essential cookies', 'View cookies'],
  ['en', 'We are using cookies on our website.', 'Yes, I agree', 'Refuse non-essential cookies', 'No, adjust'],
  [
    'de',
    'Diese Website verwendet Cookies.',
    'Alle akzeptieren',
    'Nur essenzielle Cookies akzeptieren',
    'Konfigurieren',
  ],
  ['de', 'Wir nutzen Cookies auf unserer Website.', 'Zustimmen und weiter', null, 'Verwalten oder ablehnen'],
  ['de', 'Wir setzen Cookies ein.', 'Cookies zulassen', 'Technisch notwendige', 'Mehr Optionen'],
  ['fr', 'Ce site utilise des cookies.', 'OK, tout accepter', 'Interdire tous les cookies', 'Personnaliser'],
  ['fr', 'Nous utilisons des cookies sur ce site.', 'Accepter & Fermer', 'Continuer sans accepter', 'Paramétrer'],
  ['fr', 'Nous déposons des cookies.', "J'accepte", 'Je refuse', 'Gérer mes choix'],
  ['es', 'Esta web utiliza cookies para mejorar tu experiencia.', 'Aceptar todas', 'Rechazar todas', 'Configurar'],
  ['es', 'Usamos cookies propias y de otros.', 'Aceptar y continuar', 'Solo necesarias', 'Gestionar cookies'],
  ['it', 'Questo sito utilizza i cookie.', 'Accetta tutti', 'Usa solo i cookie necessari', 'Mostra dettagli'],
  ['it', 'Questo sito usa i cookie.', 'Accetto', 'Continua senza accettare', 'Scopri di più e personalizza'],
  ['nl', 'Deze website maakt gebruik van cookies.', 'Alles accepteren', 'Alleen noodzakelijk', 'Beheer opties'],
  ['nl', 'Wij plaatsen cookies.', 'Akkoord', 'Doorgaan zonder te accepteren', 'Zelf instellen'],
  ['pl', 'Ta strona używa plików cookie.', 'Zaakceptuj wszystkie', 'Tylko niezbędne', 'Dostosuj'],
  [
    'pl',
    'Strona korzysta z plików cookies w celu realizacji usług.',
    'Zgadzam się',
    'Odmowa',
    'Ustawienia zaawansowane',
  ],
  [
    'pt',
    'Este site utiliza cookies para melhorar a sua experiência.',
    'Prosseguir',
    'Recusar',
    'Definições de cookies',
  ],
  ['pt', 'Nós usamos cookies.', 'Aceitar todos os cookies', 'Apenas os necessários', 'Gerir cookies'],
]

describe('usual notices', () => {
  it.each(USUAL)('%s: %s', (_language, text, accept, reject, settings) => {
    expect(readConsentText(text)).not.toBeNull()
    expect(readLabel(accept)?.role).toBe('accept')
    if (reject !== null) expect(readLabel(reject)?.role).toBe('reject')
    if (settings !== null) expect(readLabel(settings)?.role).toBe('settings')
  })

  it.each(['Manage or reject', 'Einstellungen oder Ablehnen', 'Gérer ou refuser', 'Gestisci o rifiuta'])(
    '%s refuses nothing by itself',
    (label) => {
      expect(readLabel(label)?.role).toBe('settings')
    },
  )

  it('cookies are named in whatever sentence', () => {
    expect(namesCookies('Cookies! Yes or no?')).toBe(true)
    expect(namesCookies('Ez az oldal sütiket használ.')).toBe(true)
    expect(namesCookies('Ten percent off our letter about gardens.')).toBe(false)
  })
})

describe('texts about consent', () => {
  it.each([
    ['cookies and consent', 'We use cookies. Do you consent to them?', 'en'],
    ['without the word', 'Wir und unsere Partner verarbeiten personenbezogene Daten mit Ihrer Einwilligung.', 'de'],
    ['Finnish', 'Käytämme evästeitä. Pyydämme suostumustasi.', 'fi'],
    ['Hungarian', 'Ez az oldal sütiket használ. Kérjük hozzájárulását.', 'hu'],
    ['Irish', 'Úsáidimid fianáin. Tabhair do thoiliú.', 'ga'],
    ['a short label', 'Cookie settings', 'en'],
  ])('%s', (_name, text, language) => {
    expect(readConsentText(text)?.language).toBe(language)
  })

  it.each([
    ['a newsletter', 'Ten percent off: our letter about gardens, once a month. You can leave at any time.'],
    ['a newsletter with consent', 'By subscribing you consent to receive our monthly letter. See our privacy policy.'],
    [
      'a recipe',
      'Chocolate cookies: mix butter and sugar, bake for twelve minutes and let them cool on a rack before serving.',
    ],
    ['a shop', 'Free delivery from 50 euro. Choose your country and your currency.'],
    ['nothing', ''],
  ])('%s is none', (_name, text) => {
    expect(readConsentText(text)).toBeNull()
  })
})

describe('pay or consent', () => {
  it.each([
    'Lesen Sie mit Werbung und Tracking weiter, oder schließen Sie ein PUR-Abo ohne Werbung ab.',
    'Accetta i cookie oppure abbonati e leggi senza pubblicità.',
    'Acceptez les cookies ou abonnez-vous pour lire sans publicité.',
    'Continue with ads, or subscribe for 4.99 a month and read without ads.',
  ])('%s', (text) => {
    expect(asksToPay(text)).toBe(true)
  })
  it.each(['Subscribe to our letter.', 'We pay the postage.', 'This page works without cookies.'])(
    'not: %s',
    (text) => {
      expect(asksToPay(text)).toBe(false)
    },
  )
})

describe('links that a site owes', () => {
  it.each([
    ['Privacy Policy', '/p', 'privacy'],
    ['Datenschutzerklärung', '/ds', 'privacy'],
    ['Privacy & Cookies', '/legal', 'privacy'],
    ['Impressum', '/firma', 'imprint'],
    ['Mentions légales', '/ml', 'imprint'],
    ['Cookie-Richtlinie', '/c', 'cookies'],
    ['AGB', '/agb', 'terms'],
    ['Obchodní podmínky', '/op', 'terms'],
    ['Tietosuojaseloste', '/ts', 'privacy'],
    ['Read our privacy policy for customers in Europe', '/privacy-policy', 'privacy'],
  ])('%s', (label, href, kind) => {
    expect(policyKindOf(label, href)).toBe(kind)
  })

  it.each([
    ['Data protection officer wanted for our office in Lyon', '/jobs/12'],
    ['Spades', '/spades'],
    ['', '/privacy'],
  ])('%s is none', (label, href) => {
    expect(policyKindOf(label, href)).toBeNull()
  })

  it('an address alone suggests what it is', () => {
    expect(policyKindOfAddress('https://shop.test/de/datenschutz')).toBe('privacy')
    expect(policyKindOfAddress('https://shop.test/spades')).toBeNull()
  })
})
