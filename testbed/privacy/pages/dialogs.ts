/** Dialogs: what they offer, how they look, what they keep, and whether refusing refuses. */
import { banner, load, ping } from '../banner.ts'
import { html, type PrivacyPage } from '../page.ts'

const GA = `window.dataLayer=window.dataLayer||[];function gtag(){dataLayer.push(arguments)}gtag('js',new Date());gtag('config','G-GARDEN');${load('https://www.googletagmanager.com/gtag/js?id=G-GARDEN')}`
const FB = `window.fbq=window.fbq||function(){fbq.queue.push(arguments)};fbq.queue=fbq.queue||[];fbq('init','1234');fbq('track','PageView');${load('https://connect.facebook.net/en_US/fbevents.js')}`
const NAMES = ['Google Analytics (Google Ireland Limited)', 'Meta Pixel (Meta Platforms Ireland Limited)']
const LINK = 'font:11px sans-serif;border:0;background:none;color:#999;text-decoration:underline;padding:2px'

export const DIALOGS: readonly PrivacyPage[] = [
  {
    name: 'dialog-none',
    shows: 'analytics runs and nobody is asked',
    must: ['consent-absent', 'pixel-before-consent', 'cookie-before-consent', 'tag-manager-before-consent'],
    names: NAMES,
    body: `<script>${GA}</script>`,
  },
  {
    name: 'dialog-none-needed',
    shows: 'twin: nobody is asked, and nothing needs asking',
    must: [],
  },
  {
    name: 'dialog-decoration',
    shows: 'analytics runs while the dialog is still up',
    must: ['pixel-before-consent', 'cookie-before-consent', 'tag-manager-before-consent'],
    runs: 'always',
    names: NAMES,
    body: `<script>${GA}</script>${banner()}`,
  },
  {
    name: 'reject-ineffective',
    shows: 'refusing starts the same trackers as agreeing',
    must: ['pixel-after-reject', 'cookie-after-reject', 'reject-ineffective'],
    runs: 'asked',
    names: NAMES,
    body: banner({ onAccept: GA + FB, onReject: GA + FB }),
  },
  {
    name: 'reject-effective',
    shows: 'twin: refusing starts nothing',
    must: [],
    names: NAMES,
    body: banner({ onAccept: GA + FB }),
  },
  {
    name: 'reject-second-layer',
    shows: 'refusing takes a second layer, agreeing one press',
    must: ['reject-hidden'],
    names: NAMES,
    body: banner({
      settings: 'Manage options',
      rejectOn: 2,
      onAccept: GA,
      boxes: { Statistics: false, Marketing: false },
    }),
  },
  {
    name: 'reject-nowhere',
    shows: 'there is only a button to agree',
    must: ['reject-hidden'],
    may: ['consent-wall'],
    names: NAMES,
    body: banner({ reject: null, onAccept: GA }),
  },
  {
    name: 'reject-faint',
    shows: 'refusing is a small grey link beside a large button',
    must: ['reject-less-visible'],
    names: NAMES,
    body: banner({
      rejectStyle: LINK,
      acceptStyle: 'font:20px sans-serif;padding:18px 60px;background:#060;color:#fff;border:0',
      onAccept: GA,
    }),
  },
  {
    name: 'boxes-ticked',
    shows: 'statistics and marketing are ticked before anyone ticks them',
    must: ['pre-ticked'],
    names: NAMES,
    body: banner({ settings: 'Settings', boxes: { Statistics: true, Marketing: true }, onAccept: GA }),
  },
  {
    name: 'boxes-empty',
    shows: 'twin: the same boxes, empty; only the necessary one is ticked and locked',
    must: [],
    names: NAMES,
    body: banner({ settings: 'Settings', boxes: { Statistics: false, Marketing: false }, onAccept: GA }),
  },
  {
    name: 'wall',
    shows: 'the whole page is covered until one agrees; refusing is not offered',
    must: ['consent-wall', 'reject-hidden'],
    names: NAMES,
    body: banner({
      reject: null,
      covers: true,
      text: 'We and our partners use cookies. Accept cookies and tracking to read this page. Your consent is needed.',
      onAccept: GA,
    }),
  },
  {
    name: 'wall-refusable',
    shows: 'twin: the page is covered, and refusing stands beside agreeing',
    must: [],
    names: NAMES,
    body: banner({ covers: true, onAccept: GA }),
  },
  {
    name: 'pay-or-ok',
    shows: 'agree to tracking or subscribe',
    must: ['consent-wall'],
    may: ['reject-hidden', 'consent-wall'],
    names: NAMES,
    body: banner({
      covers: true,
      reject: null,
      settings: null,
      text: 'Continue with advertising and tracking cookies of our partners, or subscribe for 4.99 a month and read without ads and without tracking.',
      onAccept: GA,
    }),
  },
  {
    name: 'revisit-none',
    shows: 'after the choice there is no way back to it',
    must: ['revisit-absent'],
    names: NAMES,
    body: banner({ revisit: false, onAccept: GA }),
  },
  {
    name: 'choice-forgotten',
    shows: 'refusing is forgotten: the dialog comes again on every page',
    must: ['choice-forgotten'],
    names: NAMES,
    body: banner({ store: 'nowhere', onAccept: GA }),
  },
  {
    name: 'choice-local-storage',
    shows: 'twin: the choice is kept in localStorage instead of a cookie',
    must: [],
    names: NAMES,
    body: banner({ store: 'localStorage', onAccept: GA }),
  },
  {
    name: 'shadow-open',
    shows: 'the dialog lives in an open shadow root; refusing refuses nothing',
    must: ['pixel-after-reject', 'cookie-after-reject', 'reject-ineffective'],
    runs: 'asked',
    names: NAMES,
    body: banner({ within: 'open-shadow', onAccept: GA, onReject: GA }),
  },
  {
    name: 'shadow-closed',
    shows: 'the dialog lives in a closed shadow root; refusing refuses nothing',
    must: ['pixel-after-reject', 'cookie-after-reject', 'reject-ineffective'],
    runs: 'asked',
    names: NAMES,
    body: banner({ within: 'closed-shadow', onAccept: GA, onReject: GA }),
  },
  {
    name: 'dialog-frame',
    shows: 'the dialog lives in a frame; refusing refuses nothing',
    must: ['pixel-after-reject', 'cookie-after-reject', 'reject-ineffective'],
    runs: 'asked',
    names: NAMES,
    body: `<iframe id="d" src="/dialog" style="position:fixed;bottom:0;left:0;width:100%;height:220px;z-index:99;background:#fff"></iframe>
<a href="#" id="again" onclick="document.cookie='cookie_consent=; Max-Age=0; Path=/';location.reload()">Cookie settings</a>
<script>const go=()=>{${GA}};const close=()=>document.getElementById('d').remove();if(/cookie_consent=/.test(document.cookie)){close();go()}else addEventListener('message',(e)=>{document.cookie='cookie_consent='+e.data+'; Max-Age=15552000; Path=/; Secure';close();go()})</script>`,
    paths: {
      '/dialog': html(
        "<!doctype html><title>Cookies</title><p>We use cookies to measure visits and for advertising. Do you give your consent?</p><button onclick=\"parent.postMessage('all','*')\">Accept all</button><button onclick=\"parent.postMessage('none','*')\">Reject all</button>",
      ),
    },
  },
  {
    name: 'dialog-late',
    shows: 'twin: the dialog comes up after a second and a half, and refusing works',
    must: [],
    names: NAMES,
    body: banner({ delay: 1_500, onAccept: GA }),
  },
  {
    name: 'revoke-ineffective',
    shows: 'withdrawing consent leaves the tracker running',
    must: ['revoke-ineffective'],
    names: ['Meta Pixel (Meta Platforms Ireland Limited)'],
    body: banner({
      onAccept: `localStorage.setItem('was','1');${ping('https://www.facebook.com/tr/?id=1234&ev=PageView')}`,
      onReject: `if(localStorage.getItem('was')){${ping('https://www.facebook.com/tr/?id=1234&ev=PageView')}}`,
    }),
    may: ['vendor-unnamed'],
  },
  {
    name: 'newsletter-popup',
    shows: 'twin: a dialog about a newsletter is no dialog about cookies',
    must: [],
    body: '<div role="dialog" style="position:fixed;right:10px;bottom:10px;background:#fff;padding:20px;border:1px solid"><p>Ten percent off: our letter about gardens, once a month.</p><button>Subscribe</button><button>No thanks</button></div>',
  },
]
