/** Consent mode and the transparency framework. */
import { banner, load } from '../banner.ts'
import type { PrivacyPage } from '../page.ts'
import { tcString } from './tc-string.ts'

const script = (code: string): string => `<script>${code}</script>`
const GTAG = 'window.dataLayer=window.dataLayer||[];function gtag(){dataLayer.push(arguments)}'
const DENIED =
  "gtag('consent','default',{ad_storage:'denied',ad_user_data:'denied',ad_personalization:'denied',analytics_storage:'denied'});"
const GRANTED = DENIED.replaceAll('denied', 'granted')
const UPDATE =
  "gtag('consent','update',{ad_storage:'granted',ad_user_data:'granted',ad_personalization:'granted',analytics_storage:'granted'});"
const CONFIG = "gtag('js',new Date());gtag('config','G-GARDEN');"
const LIBRARY = load('https://www.googletagmanager.com/gtag/js?id=G-GARDEN')
const NAMES = ['Google Analytics (Google Ireland Limited)', 'Google Tag Manager']

/** A framework of the page: the string before the choice, and after refusing and agreeing. */
const framework = (before: string | null, refused: string, agreed: string, onAccept = ''): string => `<script>
let tc=(/(?:^|; )euconsent-v2=([^;]+)/.exec(document.cookie)||[])[1]||${JSON.stringify(before)},status=tc&&document.cookie.includes('euconsent-v2')?'useractioncomplete':'cmpuishown',listeners=[];
const data=()=>({tcString:tc||'',tcfPolicyVersion:5,cmpId:300,cmpVersion:1,gdprApplies:true,eventStatus:status,cmpStatus:'loaded',isServiceSpecific:true,listenerId:0,purpose:{consents:{},legitimateInterests:{}},vendor:{consents:{},legitimateInterests:{}}});
window.__tcfapi=(command,version,done)=>{if(command==='ping')done({gdprApplies:true,cmpLoaded:true,cmpStatus:'loaded',displayStatus:'visible',apiVersion:'2.2',cmpId:300,gvlVersion:100,tcfPolicyVersion:5});else if(command==='getTCData')done(data(),true);else if(command==='addEventListener'){listeners.push(done);done(data(),true)}else done(null,false)};
window.decide=(value)=>{tc=value;status='useractioncomplete';document.cookie='euconsent-v2='+tc+'; Max-Age=15552000; Path=/; Secure; SameSite=Lax';for(const l of listeners)l(data(),true)};
window.agreed=${JSON.stringify(agreed)};window.refused=${JSON.stringify(refused)}
</script>${banner({ onAccept: `if(status!=='useractioncomplete')decide(agreed);${onAccept}`, onReject: "if(status!=='useractioncomplete')decide(refused)" })}`

const NOTHING = tcString({ purposes: [], vendors: [], disclosed: [91, 755] })
const ALL = tcString({ purposes: [1, 2, 3, 4, 7, 9, 10], vendors: [91, 755], disclosed: [91, 755] })

export const SIGNALS: readonly PrivacyPage[] = [
  {
    name: 'mode-granted',
    shows: 'consent mode grants everything by default',
    must: ['consent-mode-default-granted', 'pixel-before-consent', 'cookie-before-consent'],
    runs: 'always',
    names: NAMES,
    body: script(GTAG + GRANTED + CONFIG + LIBRARY) + banner({ onAccept: UPDATE }),
  },
  {
    name: 'mode-late',
    shows: 'the default comes after the tag has already sent',
    must: ['consent-mode-late', 'pixel-before-consent', 'cookie-before-consent'],
    runs: 'always',
    names: NAMES,
    body: script(`${GTAG + CONFIG + LIBRARY}setTimeout(()=>{${DENIED}},400);`) + banner({ onAccept: UPDATE }),
  },
  {
    name: 'mode-pings',
    shows: 'everything is denied, and pings without cookies go out before the choice',
    must: ['consent-mode-ping'],
    may: ['tag-manager-before-consent', 'tracker-contact-before-consent', 'tracker-contact-after-reject'],
    names: NAMES,
    body: script(GTAG + DENIED + CONFIG + LIBRARY) + banner({ onAccept: UPDATE }),
  },
  {
    name: 'mode-basic',
    shows: 'twin: the tag is loaded only after agreeing, and told so',
    must: [],
    names: NAMES,
    body: script(GTAG + DENIED) + banner({ onAccept: UPDATE + CONFIG + LIBRARY }),
  },
  {
    name: 'tcf-early',
    shows: 'the string grants purposes and vendors before any choice',
    must: ['tcf-consent-early'],
    body: framework(ALL, NOTHING, ALL),
  },
  {
    name: 'tcf-reject',
    shows: 'the string grants purposes after refusing',
    must: ['tcf-consent-after-reject'],
    body: framework(null, ALL, ALL),
  },
  {
    name: 'tcf-undisclosed',
    shows: 'the string has no segment of disclosed vendors',
    must: ['tcf-disclosed-vendors-absent'],
    body: framework(
      null,
      tcString({ purposes: [], vendors: [], disclosed: null }),
      tcString({ purposes: [1, 2, 3, 4], vendors: [91], disclosed: null }),
    ),
  },
  {
    name: 'tcf-stranger',
    shows: 'a vendor of the framework is active that the string does not disclose',
    must: ['tcf-vendor-undisclosed'],
    names: ['Criteo'],
    body: framework(
      null,
      tcString({ purposes: [], vendors: [], disclosed: [755] }),
      tcString({ purposes: [1, 2, 3, 4], vendors: [755], disclosed: [755] }),
      load('https://static.criteo.net/js/ld/ld.js'),
    ),
  },
  {
    name: 'tcf-broken',
    shows: 'a string that nobody can decode',
    must: ['tcf-invalid'],
    body: framework(null, 'CQ.broken.!', 'CQ.broken.!'),
  },
  {
    name: 'tcf-sound',
    shows: 'twin: nothing before the choice, nothing after refusing, everything disclosed',
    must: [],
    body: framework(null, NOTHING, ALL),
  },
]
