// Bundles the pages of `app/`. `npm run build` runs it and replaces the compiled module `appFiles` with one that
// contains the bundled pages. So the published package needs no bundler.
import { writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { build } from "esbuild"
import type { AppFiles } from "./src/server/app/appFiles.ts"

const bundle = async (entry: string) => {
  const { metafile, outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, entry)],
    tsconfig: join(import.meta.dirname, "app/tsconfig.json"),
    outdir: import.meta.dirname,
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: "esm",
    target: ["chrome120", "firefox120", "safari17"]
  })
  const textOf = (ending: string) => outputFiles.find(({ path }) => path.endsWith(ending))!.text
  const files = { script: textOf(".js"), style: textOf(".css") }
  return { files, sources: Object.keys(metafile.inputs).map((path) => resolve(path)) }
}

/** Bundles the pages. Also returns the absolute paths of the sources that they contain. */
export const bundlePages = async () => {
  const [app, admin] = [await bundle("app/main.tsx"), await bundle("app/admin/main.tsx")]
  const files: AppFiles = { app: app.files, admin: admin.files }
  return { files, sources: [...app.sources, ...admin.sources] }
}

export const appFiles = async (): Promise<AppFiles> => (await bundlePages()).files

/** Returns the text of a module `appFiles` that contains the bundled pages. */
export const moduleWith = (files: AppFiles): string =>
  `export const appFiles = async () => (${JSON.stringify(files)})\n`

const [outputPath] = process.argv.slice(2)
if (import.meta.main && outputPath !== undefined) writeFileSync(outputPath, moduleWith(await appFiles()))
