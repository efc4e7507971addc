import { globSync, readFileSync } from "node:fs"
import { dirname, join, relative, resolve } from "node:path"
import { assert, describe, it } from "@effect/vitest"

/** The house style where it can be checked: import directions, cycles, features reached through their index, names. */

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
  /** The folder under `src`, or an empty string for files directly in it. */
  readonly feature: string
  readonly isTest: boolean
  readonly imports: ReadonlyArray<string>
}

const importsOf = (text: string): ReadonlyArray<string> =>
  [
    ...text.matchAll(/^\s*(?:import|export)\b[^"';]*?from\s+"([^"]+)"|\bimport\("([^"]+)"\)|^import\s+"([^"]+)"/gmu)
  ].map((match) => (match[1] ?? match[2] ?? match[3])!)

const files: ReadonlyArray<SourceFile> = packages.flatMap((name) =>
  globSync(`packages/${name}/src/**/*.ts`, { cwd: root }).map((path) => ({
    path,
    package: name,
    feature: /^packages\/\w+\/src\/([^/]+)\//u.exec(path)?.[1] ?? "",
    isTest: /\.(?:test|contract|fixture)\.ts$/u.test(path),
    imports: importsOf(readFileSync(join(root, path), "utf8"))
  }))
)

const sources = files.filter(({ isTest }) => !isTest)

const complaints = (check: (file: SourceFile) => ReadonlyArray<string>, among = sources) =>
  among.flatMap((file) => check(file).map((complaint) => `${file.path}: ${complaint}`))

describe("the tree", () => {
  it("has sources to look at", () => {
    assert.isAbove(sources.length, 50)
    assert.isAbove(sources.flatMap(({ imports }) => imports).length, 200)
  })

  it("imports packages in one direction: cli, http, adapters, core", () => {
    const found = complaints(({ imports, package: from }) =>
      imports.flatMap((imported) => {
        const to = /^@countersign\/(\w+)/u.exec(imported)?.[1] as Package | undefined
        return to === undefined || mayImport[from].includes(to) ? [] : [`imports ${imported}`]
      })
    )
    assert.deepStrictEqual(found, [])
  })

  it("gives the core no dependency but effect's stable modules", () => {
    const found = complaints(
      ({ imports }) => imports.filter((imported) => !imported.startsWith(".") && imported !== "effect"),
      sources.filter(({ package: name }) => name === "core")
    )
    assert.deepStrictEqual(found, [])
  })

  it("reaches a folder of another feature through its index only", () => {
    const found = complaints(
      ({ feature, imports, package: name, path }) =>
        imports.flatMap((imported) => {
          if (!imported.startsWith(".")) return []
          const target = relative(root, resolve(root, dirname(path), imported))
          const other = /^packages\/\w+\/src\/([^/]+)\//u.exec(target)?.[1] ?? ""
          return other === "" || other === feature || target === `packages/${name}/src/${other}/index.ts`
            ? []
            : [`reaches into ${target}`]
        }),
      sources.filter(({ package: name }) => name === "core" || name === "adapters")
    )
    assert.deepStrictEqual(found, [])
  })

  it("has no import cycle", () => {
    const edges = new Map(
      sources.map(({ imports, path }) => [
        path,
        imports
          .filter((imported) => imported.startsWith("."))
          .map((imported) => relative(root, resolve(root, dirname(path), imported)))
      ])
    )
    const done = new Set<string>()
    const cycles: Array<string> = []
    const walk = (path: string, trail: ReadonlyArray<string>): void => {
      if (trail.includes(path)) {
        cycles.push([...trail.slice(trail.indexOf(path)), path].join(" -> "))
        return
      }
      if (done.has(path)) return
      for (const next of edges.get(path) ?? []) walk(next, [...trail, path])
      done.add(path)
    }
    for (const path of edges.keys()) walk(path, [])
    assert.deepStrictEqual(cycles, [])
  })

  it("has no folder or file that is a drawer for everything", () => {
    const drawer = /(?:^|\/)(?:utils?|helpers?|common|shared|misc|types|services|lib|managers?)(?:\/|\.ts$)/iu
    assert.deepStrictEqual(
      files.map(({ path }) => path.replace(/^packages\/\w+\/src\//u, "")).filter((path) => drawer.test(path)),
      []
    )
  })

  it("reads no clock, chance, environment or console in the core", () => {
    const forbidden = /\bDate\.now\b|new Date\(|\bMath\.random\b|\bprocess\.[a-z]|\bconsole\.|\bJSON\.parse\b/u
    const found = sources
      .filter(({ package: name }) => name === "core")
      .flatMap(({ path }) => {
        const match = forbidden.exec(readFileSync(join(root, path), "utf8"))
        return match === null ? [] : [`${path}: ${match[0]}`]
      })
    assert.deepStrictEqual(found, [])
  })
})
