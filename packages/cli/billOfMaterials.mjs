// Builds the software bill of materials of the command line's package (CycloneDX 1.5). It lists the packages whose
// files the bundle contains, and the packages that npm installs with it.
import { execFileSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"

const root = join(import.meta.dirname, "../..")
const SELF = "@countersign/cli"

/** Returns the package of a file in `node_modules` as `name@version`; undefined for the project's own files. */
const packageOf = (file) => {
  if (!file.includes("node_modules")) return undefined
  for (let folder = dirname(file); !folder.endsWith("node_modules"); folder = dirname(folder)) {
    const manifest = join(folder, "package.json")
    const { name, version } = existsSync(manifest) ? JSON.parse(readFileSync(manifest, "utf8")) : {}
    // Some packages have manifests without a name in subfolders, which only set the module type.
    if (name !== undefined && version !== undefined) return `${name}@${version}`
  }
  return undefined
}

/** @param {ReadonlyArray<string>} files - Absolute paths of the bundled files. */
export const billOfMaterials = (files) => {
  const everything = JSON.parse(
    execFileSync("npm", ["sbom", "--package-lock-only", "--offline", "--sbom-format", "cyclonedx"], {
      cwd: root,
      encoding: "utf8",
      maxBuffer: 64 * 1024 * 1024
    })
  )
  const self = everything.components.find(({ "bom-ref": ref }) => ref.startsWith(`${SELF}@`))
  const { dependencies: installed } = JSON.parse(readFileSync(join(import.meta.dirname, "package.json"), "utf8"))
  const included = new Set(files.map(packageOf).filter((ref) => ref !== undefined))
  const include = (ref) => {
    if (included.has(ref)) return
    included.add(ref)
    for (const next of everything.dependencies.find((each) => each.ref === ref)?.dependsOn ?? []) include(next)
  }
  for (const [name, version] of Object.entries(installed)) include(`${name}@${version}`)
  const components = everything.components.filter(({ "bom-ref": ref }) => included.has(ref))
  const missing = [...included].filter((ref) => !components.some((component) => component["bom-ref"] === ref))
  if (missing.length > 0) throw new Error(`The lock file has no ${missing.join(", ")}. Run npm ci.`)
  return {
    ...everything,
    metadata: { ...everything.metadata, component: { ...self, type: "application", name: SELF } },
    components: components.map((component) => ({ ...component, scope: "required", properties: [] })),
    dependencies: [
      { ref: self["bom-ref"], dependsOn: [...included] },
      ...everything.dependencies
        .filter(({ ref }) => included.has(ref))
        .map(({ dependsOn, ref }) => ({ ref, dependsOn: dependsOn.filter((each) => included.has(each)) }))
    ]
  }
}
