export const STYLE = `:root{--ink:#1c2522;--soft:#5c6864;--paper:#fbf9f4;--card:#fff;--line:#e4dfd3;--green:#1f3d36;--clay:#b4532a}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.6 ui-sans-serif,system-ui,"Segoe UI",Roboto,sans-serif}
a{color:inherit;text-decoration-thickness:1px;text-underline-offset:3px}
.wrap{max-width:1080px;margin:0 auto;padding:0 24px}
header.top{background:var(--card);border-bottom:1px solid var(--line)}
header.top .wrap{display:flex;align-items:center;gap:28px;height:72px}
.brand{display:flex;align-items:center;gap:12px;font-weight:700;font-size:20px;letter-spacing:.01em;text-decoration:none}
.brand img{width:36px;height:36px}
nav{display:flex;gap:20px;font-size:15px}
nav a{text-decoration:none;color:var(--soft)}
nav a:hover{color:var(--ink)}
.search{margin-left:auto;display:flex}
.hero{background:var(--green);color:#f4efe4}
.hero .wrap{display:grid;grid-template-columns:1fr 1.05fr;gap:36px;align-items:end}
.hero .wrap>div{padding:72px 0}
.hero img{width:100%;height:auto;display:block}
.hero h1{font-size:46px;line-height:1.12;margin:0 0 12px;max-width:16ch;letter-spacing:-.01em}
.hero p{max-width:46ch;margin:0 0 28px;opacity:.86}
h2{font-size:26px;margin:44px 0 18px}
.grid{display:grid;grid-template-columns:repeat(auto-fill,minmax(230px,1fr));gap:22px;margin-bottom:56px}
.card{background:var(--card);border:1px solid var(--line);border-radius:12px;overflow:hidden;text-decoration:none;display:block}
.card img{width:100%;height:auto;display:block}
.card div{padding:14px 16px 18px}
.card strong{display:block}
.card small{color:var(--soft)}
.price{color:var(--clay);font-weight:600}
.split{display:grid;grid-template-columns:1.1fr 1fr;gap:44px;margin:48px 0}
.split img{width:100%;height:auto;border-radius:14px}
form.stack{display:grid;gap:14px;max-width:420px;margin:20px 0 56px}
label{display:grid;gap:5px;font-size:14px;color:var(--soft)}
input,textarea,select{font:inherit;padding:10px 12px;border:1px solid #cfc8b8;border-radius:8px;background:#fff;color:var(--ink)}
button,.button{font:inherit;font-weight:600;border:0;border-radius:8px;padding:11px 20px;background:var(--clay);color:#fff;cursor:pointer;text-decoration:none;display:inline-block}
table{border-collapse:collapse;width:100%;margin:18px 0}
td,th{text-align:left;padding:12px 8px;border-bottom:1px solid var(--line)}
.note{background:#eef3ee;border-radius:10px;padding:14px 18px;margin:20px 0}
footer{border-top:1px solid var(--line);padding:28px 0 44px;color:var(--soft);font-size:14px}
footer .wrap{display:flex;gap:22px;flex-wrap:wrap}
@media(max-width:720px){.split,.hero .wrap{grid-template-columns:1fr}.search{display:none}.hero h1{font-size:34px}}
`
