import { existsSync, globSync, readFileSync } from "node:fs"
import { dirname, join, relative, resolve } from "node:path"
import { assert, describe, it } from "@effect/vitest"

/**
 * Checks the rules for the structure of the code: import directions, cycles, imports of features through their index,
 * names.
 */

const root = join(import.meta.dirname, "../../..")
const packages = ["core", "adapters", "http", "cli"] as const
type Package = (typeof packages)[number]

const mayImport: Record<Package, ReadonlyArray<Package>> = {
  core: [],
  adapters: ["core"],
  http: ["core", "adapters"],
  cli: ["core", "adapters", "http"]
}

interface SourceFile {
  readonly path: string
  readonly package: Package
  /** Path of the file's feature below `src`. Empty for a file that does not belong to a feature. */
  readonly feature: string
  readonly isTest: boolean
  readonly imports: ReadonlyArray<string>
}

const importsOf = (text: string): ReadonlyArray<string> =>
  [
    ...text.matchAll(/^\s*(?:import|export)\b[^"';]*?from\s+"([^"]+)"|\bimport\("([^"]+)"\)|^import\s+"([^"]+)"/gmu)
  ].map((match) => (match[1] ?? match[2] ?? match[3])!)

/** Returns the outermost folder on the path that contains an `index.ts`, such as `trading/swap` or `fiat`. */
const featureOf = (path: string): string => {
  const [source, below] = path.split(/(?<=^packages\/\w+\/src)\//u)
  const folders = below?.split("/").slice(0, -1) ?? []
  const pathPrefixes = folders.map((_, depth) => folders.slice(0, depth + 1).join("/"))
  return pathPrefixes.find((trail) => existsSync(join(root, source!, trail, "index.ts"))) ?? ""
}

const files: ReadonlyArray<SourceFile> = packages.flatMap((name) =>
  globSync(`packages/${name}/src/**/*.ts`, { cwd: root }).map((path) => ({
    path,
    package: name,
    feature: featureOf(path),
    isTest: /\.(?:test|contract|fixture)\.ts$/u.test(path),
    imports: importsOf(readFileSync(join(root, path), "utf8"))
  }))
)

const sources = files.filter(({ isTest }) => !isTest)

const violationsOf = (check: (file: SourceFile) => ReadonlyArray<string>, among = sources) =>
  among.flatMap((file) => check(file).map((complaint) => `${file.path}: ${complaint}`))

const MAX_FUNCTION_LINES = 120
const OPENS_FUNCTION = /(?:=>|function\*? ?\(.*\)) \(?\{$/u

/**
 * Returns the first lines of functions that are too long. Requires formatted code, in which the last line of a function
 * has the same indentation as the first one.
 */
const longFunctions = (text: string): ReadonlyArray<string> => {
  const lines = text.split("\n")
  const indentation = (line: string) => line.length - line.trimStart().length
  return lines.flatMap((line, start) => {
    if (!OPENS_FUNCTION.test(line)) return []
    const end = lines.findIndex((other, at) => at > start && other !== "" && indentation(other) <= indentation(line))
    return end - start > MAX_FUNCTION_LINES ? [`line ${start + 1} begins a function of ${end - start} lines`] : []
  })
}

describe("the tree", () => {
  it("has no functions with more than 120 lines in the core", () => {
    assert.lengthOf(longFunctions(`const a = () => {\n${"  b()\n".repeat(120)}}`), 1)
    assert.deepStrictEqual(
      violationsOf(
        ({ path }) => longFunctions(readFileSync(join(root, path), "utf8")),
        sources.filter(({ package: name }) => name === "core")
      ),
      []
    )
  })

  it("has source files", () => {
    assert.isAbove(sources.length, 50)
    assert.isAbove(sources.flatMap(({ imports }) => imports).length, 200)
  })

  it("imports packages only in one direction: cli, http, adapters, core", () => {
    const violations = violationsOf(({ imports, package: from }) =>
      imports.flatMap((imported) => {
        const importedPackage = /^@countersign\/(\w+)/u.exec(imported)?.[1] as Package | undefined
        return importedPackage === undefined || mayImport[from].includes(importedPackage) ? [] : [`imports ${imported}`]
      })
    )
    assert.deepStrictEqual(violations, [])
  })

  it("imports only the stable modules of effect in the core", () => {
    const violations = violationsOf(
      ({ imports }) => imports.filter((imported) => !imported.startsWith(".") && imported !== "effect"),
      sources.filter(({ package: name }) => name === "core")
    )
    assert.deepStrictEqual(violations, [])
  })

  it("imports another feature only through its index", () => {
    const violations = violationsOf(
      ({ feature, imports, package: name, path }) =>
        imports.flatMap((imported) => {
          if (!imported.startsWith(".")) return []
          const target = relative(root, resolve(root, dirname(path), imported))
          const otherFeature = featureOf(target)
          return otherFeature === "" ||
            otherFeature === feature ||
            target === `packages/${name}/src/${otherFeature}/index.ts`
            ? []
            : [`reaches into ${target}`]
        }),
      sources.filter(({ package: name }) => name === "core" || name === "adapters")
    )
    assert.deepStrictEqual(violations, [])
  })

  it("has at most nine folders in a folder, and only folders in a group of features", () => {
    const violations = ["core", "adapters"].flatMap((name) => {
      const source = join(root, "packages", name, "src")
      const groups = globSync("*/", { cwd: source }).filter((group) => !existsSync(join(source, group, "index.ts")))
      return ["", ...groups].flatMap((folder) => {
        const entries = globSync("*", { cwd: join(source, folder), withFileTypes: true })
        const folders = entries.filter((entry) => entry.isDirectory())
        return [
          ...(folders.length > 9 ? [`${name}/src/${folder} has ${folders.length} folders`] : []),
          ...(folder === "" ? [] : entries.filter((entry) => entry.isFile()).map((entry) => `${folder}/${entry.name}`))
        ]
      })
    })
    assert.deepStrictEqual(violations, [])
  })

  it("has no import cycles", () => {
    const edges = new Map(
      sources.map(({ imports, path }) => [
        path,
        imports
          .filter((imported) => imported.startsWith("."))
          .map((imported) => relative(root, resolve(root, dirname(path), imported)))
      ])
    )
    const visitedPaths = new Set<string>()
    const cycles: Array<string> = []
    const walk = (path: string, trail: ReadonlyArray<string>): void => {
      if (trail.includes(path)) {
        cycles.push([...trail.slice(trail.indexOf(path)), path].join(" -> "))
        return
      }
      if (visitedPaths.has(path)) return
      for (const nextPath of edges.get(path) ?? []) walk(nextPath, [...trail, path])
      visitedPaths.add(path)
    }
    for (const path of edges.keys()) walk(path, [])
    assert.deepStrictEqual(cycles, [])
  })

  it("has no folders or files with generic names", () => {
    const genericName = /(?:^|\/)(?:utils?|helpers?|common|shared|misc|types|services|lib|managers?)(?:\/|\.ts$)/iu
    assert.deepStrictEqual(
      files.map(({ path }) => path.replace(/^packages\/\w+\/src\//u, "")).filter((path) => genericName.test(path)),
      []
    )
  })

  it("uses no clock, randomness, environment or console in the core", () => {
    const forbidden = /\bDate\.now\b|new Date\(|\bMath\.random\b|\bprocess\.[a-z]|\bconsole\.|\bJSON\.parse\b/u
    const violations = sources
      .filter(({ package: name }) => name === "core")
      .flatMap(({ path }) => {
        const match = forbidden.exec(readFileSync(join(root, path), "utf8"))
        return match === null ? [] : [`${path}: ${match[0]}`]
      })
    assert.deepStrictEqual(violations, [])
  })

  it("uses the scoped package name with npx", () => {
    // npx would download the unscoped package `countersign`, which does not belong to this project.
    const unscopedCommand = /\bnpx (?:-y |--yes )?countersign\b/u
    const texts = globSync(
      ["*.md", "docs/**/*", ".ci/*", "packages/*/*.md", "packages/*/{bin,demo,examples,sandbox,src}/**/*.{ts,mjs,sh}"],
      { cwd: root, withFileTypes: true }
    )
    const violations = texts
      .filter((entry) => entry.isFile())
      .flatMap(({ name, parentPath }) => {
        const match = unscopedCommand.exec(readFileSync(join(parentPath, name), "utf8"))
        return match === null ? [] : [`${name}: ${match[0]}`]
      })
    assert.isAbove(texts.length, 100)
    assert.deepStrictEqual(violations, [])
  })
})

/**
 * Phrases that are not standard technical English. For ambiguous words, use "only", "immediately" or "concurrently".
 */
const PHRASES = [
  "moneys? of banks|bank's money|ways? of payment|check of quotes",
  "tells?|told|hand(?:s|ed|ing)? in|by the word of|chain's word|sight(?:ed|ings?)|made elsewhere",
  "tak(?:es?|en|ing) back|took back|takers?|in coin|coin(?! selection)|Bitcoin's chain|hosts? of Esplora",
  "whoever|somebody|anybody|nobody|who asks|in (?:the )?place of|anew|lately|besides|alone|of before",
  "under way|on (?:its|their) way|at once|for people|put(?:s|ting)? up|look(?:s|ed|ing)? after|a look|looks(?! up)|looked at",
  "left alone|left out|stands? for|(?:is|are) of|news|obstacles?|efforts?|unsettled|heavy|presenters?|followers?",
  "forget|any more|no more(?! than)|mends?|hastens?|lanes?|groundwork|the house"
].join("|")

const FORBIDDEN = new RegExp(String.raw`(?<![\w-])(?:${PHRASES.replaceAll(" ", String.raw`\s+`)})(?![\w-])`, "giu")

/** Returns the forbidden phrases of a text, except those in backquotes. */
const phrasesIn = (text: string): ReadonlyArray<string> =>
  [...text.replaceAll(/`[^`]*`/gu, "").matchAll(FORBIDDEN)].map(([phrase]) => phrase)

interface Document {
  readonly path: string
  readonly text: string
}

/** All documents except `docs/api.md`, which is the specified wire contract. */
const documents: ReadonlyArray<Document> = globSync(
  ["docs/**/*.md", "README.md", "CONTRIBUTING.md", "CHANGELOG.md", "packages/*/README.md"],
  { cwd: root }
)
  .filter((path) => path !== "docs/api.md")
  .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }))

/** Returns the fragments that GitHub assigns to the headings of a document. */
const fragmentsOf = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/^#+ (.+)$/gmu)].map(([, title]) =>
    title!
      .toLowerCase()
      .replaceAll(/[^\p{L}\d\s_-]/gu, "")
      .replaceAll(" ", "-")
  )

describe("the documents", () => {
  it("use standard terms", () => {
    const violations = documents.flatMap(({ path, text }) =>
      phrasesIn(text.replaceAll(/```.*?```/gsu, "")).map((phrase) => `${path}: ${phrase}`)
    )
    assert.isAbove(documents.length, 20)
    assert.deepStrictEqual(violations, [])
  })

  it("link to files and headings that exist", () => {
    const violations = documents.flatMap(({ path, text }) =>
      [...text.matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)/gu)].flatMap(([link, target, fragment]) => {
        const file = target === "" ? path : join(dirname(path), target!)
        if (!existsSync(join(root, file))) return [`${path}: ${link}`]
        const exists = fragment === undefined || fragmentsOf(readFileSync(join(root, file), "utf8")).includes(fragment)
        return exists ? [] : [`${path}: ${link}`]
      })
    )
    assert.deepStrictEqual(violations, [])
  })

  it("in the package of the command line link only to each other", () => {
    const build = readFileSync(join(root, "packages/cli/build.mjs"), "utf8")
    const copiedDocuments = documents.filter(({ path }) => build.includes(`"${path}"`))
    const names = copiedDocuments.map(({ path }) => path.replace("docs/", ""))
    const violations = copiedDocuments.flatMap(({ path, text }) =>
      [...text.matchAll(/\]\(([^):#]+\.md)/gu)]
        .filter(([, target]) => !names.includes(target!))
        .map(([link]) => `${path}: ${link}`)
    )
    assert.includeMembers(names, ["operations.md", "security.md", "settings.md"])
    assert.deepStrictEqual(violations, [])
  })
})

/**
 * Files whose comments, messages or SQL need a forbidden phrase: a provider's term, the name of a table, or a separate
 * index.
 */
const EXCEPTIONS: Readonly<Record<string, RegExp>> = {
  "packages/adapters/sandbox/contracts/": /^coin$/iu,
  "packages/adapters/sandbox/market-data/": /^coin$/u,
  "packages/adapters/src/service/composition/layerServices.ts": /^alone$/u,
  "packages/adapters/src/storage/kysely/": /^(?:alone|coin|sightings?)$/u,
  "packages/adapters/src/tokens/market-data/CoinGecko.ts": /^coin$/u
}

/** Returns block comments and runs of line comments, without the comment marks at the start of their lines. */
const commentsIn = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/^[ \t]*(?:\/\*.*?\*\/|\/\/[^\n]*(?:\n[ \t]*\/\/[^\n]*)*)/gmsu)].map(([comment]) =>
    comment.replaceAll(/^[ \t]*(?:\/\*+|\*\/|\*|\/\/)/gmu, "").replaceAll(/\s+/gu, " ")
  )

/** Returns string literals of at least four words: messages, API descriptions, and output of the command line. */
const messagesIn = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`/gu)]
    .map(([, quoted, template]) => (quoted ?? template!).replaceAll(/\$\{[^}]*\}/gu, "x"))
    .filter((message) => message.split(" ").length >= 4)

describe("the code", () => {
  it("uses standard terms in comments and messages", () => {
    const paths = globSync("{.ci,packages/*/{app,bench,bin,demo,examples,sandbox,src,test}}/**/*.{ts,tsx,mjs}", {
      cwd: root
    })
      .filter((path) => !/\/client\/(?:openapi|requests)\.ts$|\/openapi\.ts$|tidy\.test\.ts$/u.test(path))
      .filter((path) => !path.includes("node_modules"))
    const violations = paths.flatMap((path) => {
      const text = readFileSync(join(root, path), "utf8")
      const isTest = /\/test\/|\.(?:test|contract|fixture)\.tsx?$/u.test(path)
      const exception = Object.entries(EXCEPTIONS).find(([prefix]) => path.startsWith(prefix))?.[1]
      return [...commentsIn(text), ...(isTest ? [] : messagesIn(text))]
        .flatMap(phrasesIn)
        .filter((phrase) => exception?.test(phrase) !== true)
        .map((phrase) => `${path}: ${phrase}`)
    })
    assert.isAbove(paths.length, 1_000)
    assert.deepStrictEqual(commentsIn("/** In the\n * house. */").flatMap(phrasesIn), ["the house"])
    assert.deepStrictEqual(violations, [])
  })
})
