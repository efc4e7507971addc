// Bundles the command line with its dependencies, each command in separate chunks that are loaded on demand. An
// installation only needs the bundle and SQLite's binary.
import { cpSync, writeFileSync } from "node:fs"
import { basename, join } from "node:path"
import { rolldown } from "rolldown"
import { bundlePages, moduleWith } from "../http/bundleApp.ts"
import { billOfMaterials } from "./billOfMaterials.mjs"

const packages = join(import.meta.dirname, "..")

/** Resolves `@countersign/*` imports to TypeScript sources. The sandbox is only available in a checkout. */
const sources = {
  name: "sources",
  resolveId: (specifier) => {
    if (specifier === "@countersign/adapters/sandbox" || specifier === "../sandbox/index.ts")
      return { id: "@countersign/sandbox", external: true }
    const [, name, entry] = /^@countersign\/([^/]+)(?:\/(.+))?$/.exec(specifier) ?? []
    return name === undefined ? null : join(packages, name, "src", entry ?? "", "index.ts")
  }
}

const withoutSandbox = {
  name: "without-sandbox",
  load: (id) => (id.endsWith("/environment/hasSandbox.ts") ? "export const hasSandbox = false" : null)
}

const pages = await bundlePages()

/** A checkout bundles the pages at their first request. The package contains the bundled pages. */
const withPages = {
  name: "with-pages",
  load: (id) => (id.endsWith("/server/app/appFiles.ts") ? moduleWith(pages.files) : null)
}

const bundle = await rolldown({
  input: { main: join(import.meta.dirname, "src/main.ts") },
  platform: "node",
  // `pg` tries to load its native variant, and works without it.
  external: ["better-sqlite3", "pg-native"],
  plugins: [sources, withoutSandbox, withPages]
})
const dist = join(import.meta.dirname, "dist")
const { output } = await bundle.write({ dir: dist, format: "esm", chunkFileNames: "[name]-[hash].js" })

const bundledFiles = [...output.flatMap(({ moduleIds = [] }) => moduleIds), ...pages.sources]
writeFileSync(join(dist, "sbom.cdx.json"), JSON.stringify(billOfMaterials(bundledFiles), null, 2))

// The files that an operator reads and copies. An .env file in docs/deploy contains secrets and must not be published.
for (const name of [".env.example", "docs/operations.md", "docs/settings.md", "docs/security.md", "docs/deploy"])
  cpSync(join(packages, "..", name), join(dist, name), {
    recursive: true,
    filter: (source) => basename(source) !== ".env"
  })
