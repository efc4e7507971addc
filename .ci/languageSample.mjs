// Prints a random sample of the text of this repository, for a review of its language: 60 comments, 40 messages,
// 40 names and 20 paragraphs of the documentation. The same seed and the same files give the same sample.
//
//     node .ci/languageSample.mjs 7              # seed 7, the files of the working tree
//     node .ci/languageSample.mjs 7 origin/main  # seed 7, the files of a commit
import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"

const [seedText = "1", commit] = process.argv.slice(2)
const seed = Number(seedText)
if (!Number.isSafeInteger(seed)) throw new Error("The first argument must be the seed, an integer.")

const git = (...args) => execFileSync("git", args, { encoding: "utf8", maxBuffer: 1 << 28 })
const paths = (commit === undefined ? git("ls-files") : git("ls-tree", "-r", "--name-only", commit)).trim().split("\n")
const textOf = (path) => (commit === undefined ? readFileSync(path, "utf8") : git("show", `${commit}:${path}`))

/** Generated files, which are not sampled. */
const generated = ["openapi.ts", "requests.ts", "combinedCalls.ts"].map((file) => `packages/http/src/client/${file}`)
const isCode = (path) => path.startsWith("packages/") && /\.(ts|tsx|mjs)$/.test(path) && !generated.includes(path)
const isDocument = (path) => path.endsWith(".md") && !path.startsWith("examples/")
const isTest = (path) => /\/test\/|\.(test|contract|fixture)\.tsx?$/.test(path)

/** Returns block comments and line comments, with consecutive line comments joined. */
const commentsOf = (text) =>
  [...text.matchAll(/^[ \t]*(?:\/\*[\s\S]*?\*\/|\/\/.*(?:\n[ \t]*\/\/.*)*)/gm)]
    .map(([comment]) =>
      comment
        .replace(/^[ \t]*(?:\/\*\*?|\*\/|\*|\/\/)?|\*\/$/gm, "")
        .replace(/\s+/g, " ")
        .trim()
    )
    .filter((comment) => /[a-z]/i.test(comment) && !/^(biome|@ts)-/.test(comment))

/**
 * Returns literals of at least four words: messages and reasons of errors and reports, and descriptions of API fields
 * (`text("…")` and similar functions in `api/wire`).
 */
const messagesOf = (text) =>
  [
    ...text.matchAll(
      /(?:\b(?:message|reason|detail|problem|description|title): |(?:Error|\b(?:text|number|instant|link|flag|hex)(?:OrNull|Text)?)\()\s*(["`])((?:(?!\1)[^\\\n]|\\.)+)\1/g
    )
  ]
    .map((match) => match[2])
    .filter((message) => message.split(" ").length >= 4)

const namesOf = (text) =>
  [...text.matchAll(/\b(?:const|let|function\*?|interface|type|class) +([A-Za-z]\w+)/g)].map((match) => match[1])

/** Returns paragraphs and list items, without headings, tables and code. */
const paragraphsOf = (text) =>
  text
    .replace(/^(```|~~~)[\s\S]*?^\1/gm, "")
    .split(/\n\s*\n|\n(?=\s*[-*] )/)
    .map((paragraph) => paragraph.replace(/\s+/g, " ").trim())
    .filter((paragraph) => paragraph.length >= 80 && !/^[#|<]/.test(paragraph))

/** Returns a random number generator (mulberry32). Each call of it returns a uniform number in [0, 1). */
const randomOf = (start) => {
  let state = start | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const print = (title, all, count, random) => {
  console.log(`\n# ${title}: ${Math.min(count, all.length)} of ${all.length}\n`)
  const pool = [...all]
  for (let i = 0; i < count && pool.length > 0; i++) {
    const [[path, text]] = pool.splice(Math.floor(random() * pool.length), 1)
    console.log(`${i + 1}. ${text}  (${path})`)
  }
}

const code = paths.filter(isCode).map((path) => [path, textOf(path)])
const source = code.filter(([path]) => !isTest(path))
const documents = paths.filter(isDocument).map((path) => [path, textOf(path)])
const collect = (files, find) => files.flatMap(([path, text]) => find(text).map((found) => [path, found]))

console.log(`Seed ${seed}, ${commit ?? "working tree"}`)
print("Comments", collect(code, commentsOf), 60, randomOf(seed))
print("Messages", collect(source, messagesOf), 40, randomOf(seed + 1))
print("Names", collect(code, namesOf), 40, randomOf(seed + 2))
print("Paragraphs of the documentation", collect(documents, paragraphsOf), 20, randomOf(seed + 3))
