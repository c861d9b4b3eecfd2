import { type LanguageWords, phrases } from '../phrases.ts'

export const mt: LanguageWords = {
  language: 'mt',
  accept: phrases(`
    aċċetta | aċċetta kollox | aċċetta kollha | aċċetta l-cookies kollha | aċċetta l-cookies | naċċetta |
    naċċetta kollox | naċċetta l-cookies kollha | naqbel | ippermetti | ippermetti kollox |
    ippermetti l-cookies kollha | aċċettahom kollha | aċċetta il-cookies kollha
  `),
  acknowledge: phrases(`fhimt | tajjeb`),
  reject: phrases(`
    irrifjuta | irrifjuta kollox | irrifjuta l-cookies kollha | irrifjuta l-cookies | nirrifjuta | nirrifjuta kollox |
    irrifjutahom kollha | tiċħad | iċħad | iċħad kollox | ma naqbilx | ma naċċettax | taċċettax | le grazzi |
    dawk meħtieġa biss | cookies meħtieġa biss | il-cookies meħtieġa biss | aċċetta biss dawk meħtieġa |
    aċċetta l-cookies meħtieġa biss | neċessarji biss | cookies neċessarji biss | cookies essenzjali biss |
    kompli mingħajr ma taċċetta | tippermettix
  `),
  settings: phrases(`
    settings | issettjar | settings tal-cookies | issettjar tal-cookies | immaniġġja | immaniġġja l-cookies |
    immaniġġja l-għażliet | immaniġġja l-preferenzi | ippersonalizza | preferenzi | aktar għażliet | għażliet |
    uri d-dettalji | biddel is-settings | preferenzi tal-cookies
  `),
  save: phrases(`
    issejvja | ikkonferma | issejvja l-preferenzi | issejvja l-għażliet | ikkonferma l-għażliet |
    ikkonferma l-għażliet tiegħi | issejvja u agħlaq | ħażżen | ippermetti l-għażla
  `),
  revoke: phrases(`
    irtira l-kunsens | irtira l-kunsens tiegħek | biddel il-kunsens | ibdel il-kunsens |
    biddel is-settings tal-cookies | immaniġġja l-kunsens
  `),
  negations: phrases(`ma | mingħajr | biss | meħtieġa | neċessarji | essenzjali`),
  topic: phrases(`
    cookie | kunsens | privatezza | traċċar | personaliz | partijiet terzi | sħab | data personali | dejta personali
  `),
  privacy: phrases(`
    privatezza | politika tal-privatezza | politika dwar il-privatezza | protezzjoni tad-data |
    protezzjoni tad-dejta | avviż dwar il-privatezza | stqarrija dwar il-privatezza
  `),
  imprint: phrases(`avviż legali | informazzjoni legali | nota legali`),
  cookies: phrases(`politika tal-cookies | politika dwar il-cookies | cookies | użu tal-cookies`),
  terms: phrases(`
    termini u kundizzjonijiet | termini u kondizzjonijiet | kundizzjonijiet tal-użu | termini tal-użu
  `),
}
