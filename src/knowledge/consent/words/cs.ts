import { type LanguageWords, phrases } from '../phrases.ts'

export const cs: LanguageWords = {
  language: 'cs',
  accept: phrases(`
    přijmout | přijmout vše | přijmout všechny | přijmout všechny cookies | přijímám | přijímám vše | souhlasím |
    souhlasím se vším | povolit vše | povolit všechny | povolit všechny cookies | povolit | akceptovat |
    akceptovat vše | souhlasím a pokračovat | souhlasit | přijmout cookies | souhlas
  `),
  acknowledge: phrases(`rozumím | v pořádku`),
  reject: phrases(`
    odmítnout | odmítnout vše | odmítnout všechny | odmítnout všechny cookies | odmítám | odmítnout cookies |
    zamítnout | zamítnout vše | nesouhlasím | nepřijmout | nepovolit | ne děkuji | ne | pouze nezbytné |
    pouze nezbytné cookies | jen nezbytné | přijmout pouze nezbytné | povolit pouze nezbytné | jen nutné |
    pouze nutné | pouze technické cookies | pokračovat bez souhlasu | pokračovat bez přijetí | odmítnout volitelné |
    pokračovat s nezbytnými cookies
  `),
  settings: phrases(`
    nastavení | nastavení cookies | podrobné nastavení | upravit nastavení | přizpůsobit | spravovat |
    spravovat cookies | spravovat možnosti | spravovat předvolby | předvolby | další možnosti | možnosti |
    zobrazit podrobnosti | nastavit | změnit nastavení | vlastní nastavení | upravit
  `),
  save: phrases(`
    uložit | uložit nastavení | uložit výběr | uložit předvolby | potvrdit | potvrdit výběr | potvrdit moje volby |
    povolit výběr | uložit a zavřít | přijmout vybrané
  `),
  revoke: phrases(`
    odvolat souhlas | změnit souhlas | změnit nastavení cookies | správa souhlasu | spravovat souhlas |
    nastavení soukromí | upravit souhlas
  `),
  negations: phrases(`ne | bez | pouze | jen | nezbytné | nutné`),
  topic: phrases(`
    cookie | souhlas | soukrom | sledov | personaliz | třetích stran | partner | osobních údaj | osobní údaj
  `),
  privacy: phrases(`
    ochrana osobních údajů | zásady ochrany osobních údajů | ochrana soukromí | zpracování osobních údajů | gdpr |
    zásady ochrany soukromí | soukromí
  `),
  imprint: phrases(`právní informace | právní upozornění | provozovatel | tiráž | informace o společnosti`),
  cookies: phrases(`
    zásady cookies | cookies | soubory cookie | zásady používání souborů cookie | informace o cookies
  `),
  terms: phrases(`
    obchodní podmínky | podmínky použití | všeobecné obchodní podmínky | podmínky užívání | všeobecné podmínky
  `),
}
