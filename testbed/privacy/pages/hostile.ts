/** Pages that try to hold the browser, fill it, or outlive it. They have no truth but one: the visit ends, and nothing stays. */
import { banner } from '../banner.ts'
import { html, type PrivacyPage } from '../page.ts'

const js = (code: string): string => `<script>${code}</script>`
const page = (name: string, shows: string, body: string, more: Partial<PrivacyPage> = {}): PrivacyPage => ({
  name: `hostile-${name}`,
  shows,
  must: [],
  body,
  ...more,
})

export const HOSTILE: readonly PrivacyPage[] = [
  page('loop', 'runs for ever while it loads', js('while(true){}')),
  page('loop-later', 'runs for ever half a second after it has loaded', js('setTimeout(()=>{while(true){}},500)')),
  page('loop-on-press', 'runs for ever when refused', banner({ onReject: 'while(true){}', onAccept: 'while(true){}' })),
  page('alerts', 'asks in dialog after dialog', js('for(;;){alert(1);confirm(2);prompt(3)}')),
  page(
    'leaving',
    'does not let itself be left',
    js(
      "addEventListener('beforeunload',(e)=>{e.preventDefault();e.returnValue='no'});setTimeout(()=>location.assign('/x'),300)",
    ),
  ),
  page('windows', 'opens windows', js("let i=0;setInterval(()=>{open('/?w='+i++);open('about:blank')},20)")),
  page(
    'downloads',
    'starts downloads',
    js(
      "setInterval(()=>{const f=document.createElement('iframe');f.src='/file?'+Math.random();document.body.append(f)},30)",
    ),
    {
      paths: {
        '/file': {
          type: 'application/octet-stream',
          headers: [['Content-Disposition', 'attachment; filename=a.bin']],
          body: Buffer.alloc(100_000),
        },
      },
    },
  ),
  page('reload', 'loads itself again at once', js('location.reload()')),
  page(
    'reload-load',
    'loads itself again when it has loaded',
    js("addEventListener('load',()=>location.replace('/?'+Math.random()))"),
  ),
  page('redirect', 'leads to itself', '', { paths: { '/': { status: 302, headers: [['Location', '/']] } } }),
  page(
    'service-worker',
    'has a service worker that asks in a loop and sends its pages back to themselves',
    js("navigator.serviceWorker&&navigator.serviceWorker.register('/sw.js')"),
    {
      paths: {
        '/sw.js': {
          type: 'text/javascript',
          body: "addEventListener('install',()=>skipWaiting());addEventListener('activate',(e)=>{e.waitUntil((async()=>{await clients.claim();for(;;){await fetch('/ping?'+Math.random()).catch(()=>0);for(const c of await clients.matchAll())c.navigate('/').catch(()=>0)}})())})",
        },
        '/ping': { status: 204 },
      },
    },
  ),
  page(
    'requests',
    'asks for ten thousand pictures',
    js("for(let i=0;i<10000;i++)new Image().src='https://px.metricsfarm.test/p'+i+'.gif'"),
  ),
  page(
    'sockets',
    'opens sockets in a loop',
    js("setInterval(()=>{try{new WebSocket('wss://collect.keystream.test/'+Math.random())}catch{}},5)"),
  ),
  page('large', 'is 500 MB of text', '', { paths: { '/': { ...html(''), flood: 500 * 1024 * 1024 } } }),
  page('large-file', 'has a script of 500 MB', '<script src="/big.js"></script>', {
    paths: { '/big.js': { type: 'text/javascript', flood: 500 * 1024 * 1024 } },
  }),
  page('never', 'has a script that never comes', '<script src="/never.js"></script>', {
    paths: { '/never.js': { never: true } },
  }),
  page(
    'memory',
    'takes memory without end',
    js('const a=[];setInterval(()=>{for(let i=0;i<8;i++)a.push(new Uint8Array(16e6).fill(i+1))},10)'),
  ),
  page('heap', 'takes heap without end', js("const a=[];for(;;)a.push(new Array(1e5).fill('x'+a.length))")),
  page(
    'nodes',
    'builds elements without end',
    js("setInterval(()=>{for(let i=0;i<2e4;i++)document.body.append(document.createElement('i'))},1)"),
  ),
  page(
    'workers',
    'starts a hundred workers that run for ever',
    js("for(let i=0;i<100;i++)new Worker(URL.createObjectURL(new Blob(['for(;;){}'])))"),
  ),
  page(
    'history',
    'writes its history without end',
    js("setInterval(()=>{for(let i=0;i<100;i++)history.pushState(0,'','/'+Math.random())},1)"),
  ),
  page('frames', 'holds itself in frames of frames', '<iframe src="/?1"></iframe><iframe src="/?2"></iframe>'),
  page(
    'canaries',
    'sends each key to itself in a storm',
    `<input name="email" type="email">${js("addEventListener('input',(e)=>{for(let i=0;i<300;i++)fetch('/k?'+i+e.target.value)})")}`,
    { paths: { '/k': { status: 204 } } },
  ),
]
