import { useEffect, useState } from "preact/hooks"
import type { IdentityDocument } from "../../src/client/index.ts"
import { Failure } from "../Failure.tsx"
import { fetchFile } from "../session.ts"
import { title } from "../words.ts"

/** Converts an image to a data URL, because the page's content security policy does not allow blob URLs for images. */
const dataUrlOf = (file: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(file)
  })

interface OpenFile {
  /** URL of the download. It is revoked when the component is removed. */
  readonly url: string
  /** Data URL of the image; null for a file that is not an image. */
  readonly image: string | null
}

interface DocumentProps {
  readonly sessionId: string
  readonly document: IdentityDocument
}

/** Shows a document. Fetches it only when the reviewer opens it, because the service logs each access. */
export const Document = ({ document: { documentId, isUploaded, type }, sessionId }: DocumentProps) => {
  const [openFile, setOpenFile] = useState<OpenFile | null>(null)
  const [failure, setFailure] = useState<unknown>()
  useEffect(() => () => URL.revokeObjectURL(openFile?.url ?? ""), [openFile])
  const name = title(type.replaceAll(/([A-Z])/gu, "_$1"))
  const open = async () => {
    const file = await fetchFile(`api/v1/admin/identity-sessions/${sessionId}/documents/${documentId}`)
    const image = file.type.startsWith("image/") ? await dataUrlOf(file) : null
    setOpenFile({ url: URL.createObjectURL(file), image })
  }
  if (!isUploaded) return <p class="muted">{name}: not uploaded</p>
  return (
    <div class="stack">
      <div class="between">
        <span>{name}</span>
        {openFile === null ? (
          <button type="button" class="plain" onClick={() => open().catch(setFailure)}>
            Open {name.toLowerCase()}
          </button>
        ) : (
          <a href={openFile.url} download={`${sessionId}-${documentId}`}>
            Save {name.toLowerCase()}
          </a>
        )}
      </div>
      {openFile?.image != null && <img class="document" src={openFile.image} alt={name} />}
      <Failure of={failure} />
    </div>
  )
}
