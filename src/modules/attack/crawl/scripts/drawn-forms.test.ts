/** What is sent of forms that scripts draw: their fields stand in no page. */
import { expect, it } from 'vitest'
import { calledIn } from './testing/lines.ts'

const INPUTS = 's.jsx("input",{name:"subject"}),s.jsx("textarea",{name:"message",defaultValue:"Hello"})'
const SENT = '{"subject":"test","message":"Hello"}'

it.each([
  [
    'by the handler that stands in it',
    `const A=()=>s.jsxs("form",{onSubmit:async e=>{e.preventDefault();await fetch("/x",{method:"POST",body:JSON.stringify(Object.fromEntries(new FormData(e.target)))})},children:[${INPUTS}]})`,
    [`POST /x json ${SENT}`],
  ],
  [
    'by a handler that it names, as a form and as parameters',
    `function A(){const go=async e=>{await axios.post("/x",new FormData(e.target));await axios.post("/y",new URLSearchParams(new FormData(e.target)))};return h("form",{onSubmit:go},${INPUTS})}`,
    ['POST /x multipart {"subject":"test","message":"Hello"}', `POST /y urlencoded ${SENT}`],
  ],
  [
    'by a handler that is made for each of several',
    `function A(){const go=p=>async e=>{await axios.post(p,Object.fromEntries(new FormData(e.target).entries()))};return[s.jsx("form",{onSubmit:go("/x"),children:s.jsx("input",{name:"to",defaultValue:"Eva"})}),s.jsx("form",{onSubmit:go("/y"),children:s.jsx("input",{name:"text"})})]}`,
    ['POST /x json {"to":"Eva","text":"test"}', 'POST /y json {"to":"Eva","text":"test"}'],
  ],
  [
    'by what a wrapped handler is given',
    `function A(){const f=go=>e=>{e.preventDefault();go(new FormData(e.target))};return s.jsxs("form",{onSubmit:f(d=>axios.post("/x",{...Object.fromEntries(d),kind:"a"})),children:[${INPUTS}]})}`,
    ['POST /x json {"subject":"test","message":"Hello","kind":"a"}'],
  ],
  [
    'by what a wrapped handler is given of it',
    `function A(){const f=go=>async e=>{e.preventDefault();await go(new FormData(e.target).get("message"))};return s.jsxs("form",{onSubmit:f(text=>axios.post("/x",{text})),children:[${INPUTS}]})}`,
    ['POST /x json {"text":"Hello"}'],
  ],
  [
    'one field of it, with what stands in it',
    `const A=()=>s.jsxs("form",{onSubmit:e=>axios.post("/x",{text:new FormData(e.target).get("message"),other:new FormData(e.target).get("none")}),children:[${INPUTS}]})`,
    ['POST /x json {"text":"Hello","other":"1"}'],
  ],
  [
    'by fields that are registered',
    'function A(){const{register:r,handleSubmit:w}=useForm();const send=v=>axios.post("/y",v);return[s.jsx("form",{onSubmit:w(async v=>{await axios.post("/x",v)}),children:s.jsx("input",{type:"email",...r("contact",{required:!0})})}),s.jsx("form",{onSubmit:w(send),children:s.jsx(Field,{name:"city",label:"City"})})]}',
    ['POST /x json {"contact":"test@example.org"}', 'POST /y json {"city":"test"}'],
  ],
  [
    'by a component that is given what stands in its fields',
    'function A(){const go=async v=>{await axios.post("/x",v);nav("/")};return s.jsxs(Form,{layout:"vertical",onFinish:go,children:[s.jsx(Form.Item,{name:"email",label:"Email",children:s.jsx(Input,{})}),s.jsx(Form.Item,{name:"city",rules:[{required:!0}],children:s.jsx(Input,{})})]})}',
    ['POST /x json {"email":"test@example.org","city":"test"}'],
  ],
  [
    'by a component that is told what stands in it at first',
    'const A=()=>s.jsx(Formik,{initialValues:{title:"",amount:3},onSubmit:v=>axios.post("/x",v),children:k})',
    ['POST /x json {"title":"test","amount":"3"}'],
  ],
  [
    'by a component that is given the event',
    `const A=()=>s.jsxs(Box,{onSubmit:e=>{e.preventDefault();axios.post("/x",new FormData(e.target))},children:[${INPUTS}]})`,
    ['POST /x multipart {"subject":"test","message":"Hello"}'],
  ],
  [
    'with files, what is chosen from, and without its buttons',
    'const A=()=>s.jsxs("form",{onSubmit:e=>fetch("/x",{method:"POST",body:new window.FormData(e.currentTarget)}),children:[s.jsx("input",{type:"file",name:"doc"}),s.jsxs("select",{name:"kind",children:[s.jsx("option",{value:""}),s.jsx("option",{value:"b"})]}),s.jsx("input",{type:"submit",name:"go"}),s.jsx("button",{name:"act",type:"submit"})]})',
    ['POST /x multipart {"doc":"","kind":"b"} files doc'],
  ],
  [
    'of a form within reach of no handler nothing is said',
    `const A=()=>s.jsxs("form",{children:[${INPUTS}]});const B=e=>axios.post("/x",Object.fromEntries(new FormData(e.target)))`,
    ['POST /x'],
  ],
])('%s', (_case, code, expected) => {
  expect(calledIn(code)).toEqual(expected)
})
