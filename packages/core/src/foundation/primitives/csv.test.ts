import { assert, describe, it } from "@effect/vitest"
import { csv, numberCell, textCell } from "./csv.ts"

describe("csv", () => {
  it("ends lines with CRLF, and quotes cells with a comma, a quote or a line break", () => {
    assert.strictEqual(
      csv(
        ["a", "b, c"],
        [
          [textCell('say "hi"'), textCell("two\nlines")],
          [textCell(null), numberCell("1.5")]
        ]
      ),
      'a,"b, c"\r\n"say ""hi""","two\nlines"\r\n,1.5\r\n'
    )
  })

  it.each([
    ["=1+1", "'=1+1"],
    ["+1", "'+1"],
    ["-1", "'-1"],
    ["@SUM(A1)", "'@SUM(A1)"],
    ["\tx", "\tx"],
    ["\r=1", `"\r'=1"`],
    ['=HYPERLINK("x","y")', `"'=HYPERLINK(""x"",""y"")"`],
    ["a=1", "a=1"],
    [" =1+1", " '=1+1"],
    ["\t=1", "\t'=1"],
    ["a;=1+cmd|'/C calc'!A0;b", "a;'=1+cmd|'/C calc'!A0;b"],
    ["a\n=1;-2", `"a\n'=1;'-2"`],
    ["a\tb\t@SUM(A1)", "a\tb\t'@SUM(A1)"],
    ["\uFF1D1+1", "'\uFF1D1+1"],
    ['a;"=1+1;b', `"a;""'=1+1;b"`],
    ['" "=1+1', `""" ""'=1+1"`]
  ])("prevents that the text %j is a formula", (value, cell) => {
    assert.strictEqual(csv([], [[textCell(value)]]), `\r\n${cell}\r\n`)
  })

  it("does not prefix negative numbers, and accepts only valid numbers as numbers", () => {
    assert.strictEqual(csv([], [[numberCell("-1.5"), numberCell("-1+cmd"), numberCell(null)]]), "\r\n-1.5,'-1+cmd,\r\n")
  })
})
