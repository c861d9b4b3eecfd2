/** Fingerprinting by canvas, fonts, WebGL, audio and breadth, and what looks like it. */
import type { PrivacyPage } from '../page.ts'

const js = (code: string): string => `<script>${code}</script>`

export const FINGERPRINTS: readonly PrivacyPage[] = [
  {
    name: 'canvas-text',
    shows: 'draws text in colours on a hidden canvas and reads it back',
    must: ['fingerprint-canvas'],
    body: js(
      "const c=document.createElement('canvas');c.width=240;c.height=60;const x=c.getContext('2d');x.textBaseline='top';x.font='14px Arial';x.fillStyle='#f60';x.fillRect(125,1,62,20);x.fillStyle='#069';x.fillText('Cwm fjordbank glyphs vext quiz, 😃',2,15);x.fillStyle='rgba(102,204,0,0.7)';x.fillText('Cwm fjordbank glyphs vext quiz, 😃',4,17);window.fp=c.toDataURL()",
    ),
  },
  {
    name: 'canvas-pixels',
    shows: 'the same, read with getImageData in an offscreen canvas of a worker',
    must: ['fingerprint-canvas'],
    body: js("new Worker('/fp.js')"),
    paths: {
      '/fp.js': {
        type: 'text/javascript',
        body: "const c=new OffscreenCanvas(300,80),x=c.getContext('2d');x.font='18px serif';x.fillStyle='#f0f';x.fillText('How quickly daft jumping zebras vex',3,30);x.fillStyle='#0a0';x.fillText('How quickly daft jumping zebras vex',5,33);let h=0;for(const v of x.getImageData(0,0,300,80).data)h=(h*31+v)|0;postMessage(h)",
      },
    },
  },
  {
    name: 'canvas-chart',
    shows: 'twin: a chart with labels that answers to the mouse and can be saved as a picture',
    must: [],
    body: `<canvas id="c" width="400" height="200"></canvas>${js(
      "const c=document.getElementById('c'),x=c.getContext('2d');c.addEventListener('mousemove',()=>undefined);x.save();x.fillStyle='#069';[5,9,4,7].forEach((v,i)=>x.fillRect(20+i*90,200-v*18,60,v*18));x.fillStyle='#222';x.fillText('Sales by quarter, 2026',20,12);x.restore();window.saved=c.toDataURL('image/png')",
    )}`,
  },
  {
    name: 'canvas-emoji',
    shows: 'twin: the usual test whether emoji can be drawn',
    must: [],
    body: js(
      "const c=document.createElement('canvas');c.width=c.height=10;const x=c.getContext('2d',{willReadFrequently:true});x.textBaseline='top';x.font='600 32px Arial';x.fillText('\\ud83d\\udc26',0,0);window.emoji=x.getImageData(5,5,1,1).data[0]!==0",
    ),
  },
  {
    name: 'fonts-measured',
    shows: 'measures the width of one text in seventy fonts',
    must: ['fingerprint-fonts'],
    body: js(
      "const x=document.createElement('canvas').getContext('2d');window.w=[...Array(70).keys()].map((i)=>{x.font='72px \"Family '+i+'\", monospace';return x.measureText('mmmmmmmmmmlli').width})",
    ),
  },
  {
    name: 'fonts-layout',
    shows: 'twin: measures text for its layout, in three fonts, often',
    must: [],
    body: js(
      "const x=document.createElement('canvas').getContext('2d');for(const f of ['16px serif','16px sans-serif','bold 16px sans-serif']){x.font=f;for(let i=0;i<100;i++)x.measureText('word'+i)}",
    ),
  },
  {
    name: 'webgl-parameters',
    shows: 'reads renderer, many parameters and pixels of WebGL',
    must: ['fingerprint-webgl'],
    body: js(
      "const c=document.createElement('canvas'),g=c.getContext('webgl');if(g){const d=g.getExtension('WEBGL_debug_renderer_info');d&&[g.getParameter(d.UNMASKED_VENDOR_WEBGL),g.getParameter(d.UNMASKED_RENDERER_WEBGL)];for(const p of [3379,34076,34024,36347,36348,36349,34930,35660,35661,34921,33902,33901,3386,7936,7937,7938,35724])g.getParameter(p);g.getSupportedExtensions();g.clearColor(.2,.4,.6,1);g.clear(16384);const b=new Uint8Array(64*64*4);g.readPixels(0,0,64,64,6408,5121,b)}",
    ),
  },
  {
    name: 'webgl-model',
    shows: 'twin: draws a model and asks for the limits it needs',
    must: [],
    body: `<canvas id="m" width="100" height="100"></canvas>${js("const g=document.getElementById('m').getContext('webgl');if(g){g.getParameter(3379);g.getParameter(34921);g.clearColor(0,0,0,1);g.clear(16384)}")}`,
  },
  {
    name: 'audio-rendered',
    shows: 'renders an oscillator offline through a compressor and reads the samples',
    must: ['fingerprint-audio'],
    body: js(
      "const a=new OfflineAudioContext(1,5000,44100),o=a.createOscillator(),k=a.createDynamicsCompressor();o.type='triangle';o.frequency.value=10000;o.connect(k);k.connect(a.destination);o.start(0);a.startRendering().then((b)=>{window.s=b.getChannelData(0).slice(4500).reduce((x,y)=>x+Math.abs(y),0)})",
    ),
  },
  {
    name: 'audio-player',
    shows: 'twin: a player with a volume',
    must: [],
    body: js('const a=new AudioContext(),g=a.createGain();g.gain.value=.5;g.connect(a.destination)'),
  },
  {
    name: 'navigator-breadth',
    shows: 'one script reads more than a dozen properties that tell browsers apart',
    must: ['fingerprint-browser'],
    body: js(
      'window.all=JSON.stringify([navigator.userAgent,navigator.language,navigator.languages,navigator.platform,navigator.hardwareConcurrency,navigator.deviceMemory,navigator.maxTouchPoints,navigator.vendor,navigator.plugins.length,navigator.mimeTypes.length,navigator.cookieEnabled,navigator.doNotTrack,navigator.webdriver,screen.width,screen.height,screen.availWidth,screen.availHeight,screen.colorDepth,screen.pixelDepth,devicePixelRatio,new Date().getTimezoneOffset(),Intl.DateTimeFormat().resolvedOptions().timeZone,navigator.connection&&navigator.connection.rtt,navigator.pdfViewerEnabled])',
    ),
  },
  {
    name: 'navigator-few',
    shows: 'twin: language, size of the screen and touch, for the layout',
    must: [],
    body: js(
      'window.few=[navigator.language,screen.width,devicePixelRatio,navigator.maxTouchPoints,navigator.userAgent]',
    ),
  },
]
