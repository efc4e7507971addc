import { assert, describe, it } from "@effect/vitest"
import { html } from "./html.ts"

describe("html", () => {
  it("escapes text, and inserts markup unchanged", () => {
    const unescapedText = `<script>alert("x")</script> & 'y'`
    const item = html`<b title="${unescapedText}">${unescapedText}</b>`
    const escaped = "&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt; &amp; &#39;y&#39;"
    assert.strictEqual(html`<p>${[item]}</p>`.text, `<p><b title="${escaped}">${escaped}</b></p>`)
  })
})
