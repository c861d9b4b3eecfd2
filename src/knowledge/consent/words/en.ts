import { type LanguageWords, phrases } from '../phrases.ts'

export const en: LanguageWords = {
  language: 'en',
  accept: phrases(`
    accept | accept all | accept all cookies | accept cookies | accept and close | accept and continue |
    accept everything | accept recommended settings | i accept | i accept all | agree | i agree | agree and close |
    agree and continue | agree and proceed | agree to all | yes i agree | allow | allow all | allow all cookies |
    allow cookies | allow everything | enable all | select all and continue | consent | i consent | consent to all |
    yes accept | yes to all | accept continue | accept close | agree continue | accept all visit the site |
    accept all and visit the site | accept additional cookies | accept optional cookies | continue with all cookies
  `),
  acknowledge: phrases(`
    ok | okay | got it | that is fine | that is ok | thats ok | ok thanks | fine by me | i accept this | that's ok | i'm ok with that | sounds good | i'm fine with that | fine with me | i understand | understood | ok for me
  `),
  reject: phrases(`
    reject | reject all | reject all cookies | reject cookies | reject optional cookies | reject and close |
    reject additional cookies | reject non-essential | reject non-essential cookies | reject everything | decline |
    decline all | decline all cookies | decline cookies | decline optional cookies | i decline | deny | deny all |
    refuse | refuse all | refuse cookies | disagree | i disagree | i do not agree | do not accept | don't accept |
    i do not accept | disallow | disallow all | disable all | no thanks | no thank you | no | object to all |
    opt out | opt out of all | continue without accepting | proceed without accepting | continue browsing without accepting | continue without consent | continue without agreeing |
    proceed without consent | necessary only | only necessary | only necessary cookies | necessary cookies only |
    use necessary cookies only | allow necessary cookies only | accept only necessary | accept necessary |
    accept necessary cookies | accept only essential cookies | accept essential cookies | essential only |
    essential cookies only | only essential | only essential cookies | only required | required only |
    required cookies only | strictly necessary only | strictly necessary cookies only | only allow essential cookies |
    functional only | only technical cookies | do not consent | i do not consent | do not allow | don't allow |
    withhold consent | only accept essential cookies | only accept necessary cookies | turn off optional cookies |
    refuse non-essential cookies | refuse optional cookies | decline non-essential cookies | accept essential only
  `),
  settings: phrases(`
    settings | cookie settings | cookies settings | manage | manage cookies | manage preferences | manage settings |
    manage options | manage choices | manage my choices | manage consent | preferences | cookie preferences |
    customise | customize | customise settings | customize settings | options | more options | more choices |
    show details | details | show purposes | let me choose | choose cookies | change settings | adjust settings |
    configure | set preferences | privacy settings | learn more and customise | view preferences |
    individual settings | view cookies | no adjust | manage or reject | reject or manage | more information and settings
  `),
  save: phrases(`
    save | save settings | save preferences | save choices | save my choices | save and close | save and exit |
    save selection | confirm | confirm choices | confirm my choices | confirm selection | confirm preferences |
    allow selection | accept selected | accept selection | submit preferences | apply | done | save services | save exit | save close | save and continue | save continue
  `),
  revoke: phrases(`
    revoke consent | withdraw consent | withdraw my consent | change consent | change your consent | revoke |
    change cookie settings | change cookie preferences | your privacy choices | your cookie choices |
    update cookie preferences | review consent | renew or change your cookie consent | cookie consent |
    consent preferences | privacy manager | privacy preferences | manage cookie consent | do not track me
  `),
  negations: phrases(`not | don't | without | only | no | necessary | essential | required | mandatory`),
  topic: phrases(`
    cookie | consent | privacy | tracking | personalis | personaliz | third part | partners | personal data
  `),
  privacy: phrases(`
    privacy | privacy policy | privacy notice | privacy statement | privacy and cookies | privacy cookies | data protection |
    data privacy | data protection notice | data protection policy | privacy and cookie policy
  `),
  imprint: phrases(`
    imprint | legal notice | legal information | legal disclosure | company information | impressum
  `),
  cookies: phrases(`
    cookie policy | cookies policy | cookie notice | cookie statement | cookies | use of cookies
  `),
  terms: phrases(`
    terms | terms and conditions | terms of service | terms of use | conditions of use | terms of sale
  `),
}
