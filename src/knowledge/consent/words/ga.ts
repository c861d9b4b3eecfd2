import { type LanguageWords, phrases } from '../phrases.ts'

export const ga: LanguageWords = {
  language: 'ga',
  accept: phrases(`
    glac | glac leis | glac leo | glac le gach | glac leis na fianáin | glac le gach fianán | glac leo uile |
    glac leis uile | glacaim | glacaim leis | aontaím | ceadaigh | ceadaigh gach | ceadaigh gach ceann |
    ceadaigh gach fianán | ceadaigh iad uile | glac le fianáin | glacaim le fianáin | glac leis an iomlán
  `),
  acknowledge: phrases(`tuigim | ceart go leor`),
  reject: phrases(`
    diúltaigh | diúltaigh do gach | diúltaigh do gach fianán | diúltaigh dóibh | diúltaigh dóibh uile |
    diúltaigh do gach ceann | diúltaigh do fhianáin | diúltaím | ní aontaím | ní ghlacaim | ná glac leis |
    ná ceadaigh | fianáin riachtanacha amháin | glac le fianáin riachtanacha amháin | riachtanach amháin |
    fianáin riachtanacha | lean ar aghaidh gan glacadh | lean ar aghaidh gan toiliú | ní ghlacaim leis
  `),
  settings: phrases(`
    socruithe | socruithe fianán | socruithe na bhfianán | bainistigh | bainistigh fianáin | bainistigh roghanna |
    saincheap | roghanna | tuilleadh roghanna | sainroghanna | athraigh socruithe | taispeáin sonraí
  `),
  save: phrases(`
    sábháil | sábháil socruithe | sábháil roghanna | sábháil mo roghanna | deimhnigh | deimhnigh roghanna |
    deimhnigh mo roghanna
  `),
  revoke: phrases(`
    tarraing siar toiliú | tarraing siar do thoiliú | athraigh do thoiliú | athraigh socruithe fianán |
    bainistigh toiliú
  `),
  negations: phrases(`ní | ná | gan | amháin | riachtanacha | riachtanach`),
  topic: phrases(`
    fianá | toiliú | thoiliú | príobháid | cookie | rianú | tríú páirt | comhpháirtithe | sonraí pearsanta
  `),
  privacy: phrases(`
    príobháideachas | beartas príobháideachais | polasaí príobháideachais | cosaint sonraí |
    ráiteas príobháideachais | fógra príobháideachais
  `),
  imprint: phrases(`fógra dlíthiúil | fógra dlí | eolas dlíthiúil | faisnéis dhlíthiúil`),
  cookies: phrases(`fianáin | beartas fianán | polasaí fianán | beartas maidir le fianáin | úsáid fianán`),
  terms: phrases(`
    téarmaí | téarmaí agus coinníollacha | téarmaí úsáide | coinníollacha úsáide | téarmaí seirbhíse
  `),
}
