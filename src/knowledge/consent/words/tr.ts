import { type LanguageWords, phrases } from '../phrases.ts'

export const tr: LanguageWords = {
  language: 'tr',
  accept: phrases(`
    kabul et | tümünü kabul et | hepsini kabul et | tüm çerezleri kabul et | çerezleri kabul et | kabul ediyorum |
    tümünü kabul ediyorum | onayla | tümünü onayla | onaylıyorum | izin ver | tümüne izin ver |
    tüm çerezlere izin ver | hepsine izin ver | kabul et ve kapat | kabul et ve devam et | rıza veriyorum
  `),
  acknowledge: phrases(`anladım | tamam`),
  reject: phrases(`
    reddet | tümünü reddet | hepsini reddet | tüm çerezleri reddet | çerezleri reddet | reddediyorum | kabul etme |
    kabul etmiyorum | onaylamıyorum | izin verme | hayır teşekkürler | hayır | yalnızca gerekli |
    yalnızca gerekli çerezler | sadece gerekli çerezler | sadece gerekli | yalnızca zorunlu |
    yalnızca zorunlu çerezler | sadece zorunlu çerezler | sadece zorunlu çerezleri kabul et |
    yalnızca gerekli çerezleri kabul et | yalnızca zorunlu çerezleri kabul et | kabul etmeden devam et |
    sadece gerekli çerezlere izin ver | isteğe bağlı çerezleri reddet
  `),
  settings: phrases(`
    ayarlar | çerez ayarları | çerezleri yönet | çerezleri özelleştir | ayarları yönet | ayarları değiştir |
    özelleştir | tercihler | tercihleri yönet | çerez tercihleri | seçenekleri yönet | diğer seçenekler | seçenekler |
    ayrıntıları göster | detaylar | yönet | kişiselleştir
  `),
  save: phrases(`
    kaydet | ayarları kaydet | tercihleri kaydet | seçimi kaydet | seçimlerimi kaydet | seçimlerimi onayla |
    seçimi onayla | seçime izin ver | kaydet ve kapat | tercihlerimi kaydet | seçilenleri kabul et
  `),
  revoke: phrases(`
    rızayı geri çek | onayı geri çek | rızamı geri çek | onayı değiştir | çerez ayarlarını değiştir |
    çerez tercihlerini değiştir | onay yönetimi
  `),
  negations: phrases(`etme | verme | etmiyorum | etmeden | yalnızca | sadece | gerekli | zorunlu`),
  topic: phrases(`
    çerez | rıza | onay | gizlilik | izleme | kişiselleştir | üçüncü taraf | ortak | kişisel veri | cookie
  `),
  privacy: phrases(`
    gizlilik | gizlilik politikası | kvkk | kişisel verilerin korunması | aydınlatma metni | gizlilik bildirimi |
    gizlilik sözleşmesi
  `),
  imprint: phrases(`künye | yasal uyarı | yasal bilgiler | şirket bilgileri | yasal bilgilendirme`),
  cookies: phrases(`çerez politikası | çerezler | çerez aydınlatma metni | çerez bildirimi`),
  terms: phrases(`
    kullanım koşulları | kullanım şartları | şartlar ve koşullar | mesafeli satış sözleşmesi | üyelik sözleşmesi
  `),
}
