export type CropArea = { x: number; y: number; width: number; height: number }

/** Side length in pixels as sent: twice what is stored, so that the server can scale down. */
const SIDE = 512

/** The selected square of a picture as a file. @throws Error when the browser can't draw it. */
export async function cropPicture(address: string, area: CropArea, type: string): Promise<Blob> {
  const image = new Image()
  image.src = address
  await image.decode()
  const canvas = document.createElement('canvas')
  canvas.width = SIDE
  canvas.height = SIDE
  const pen = canvas.getContext('2d')
  if (!pen) throw new Error('no canvas')
  pen.imageSmoothingQuality = 'high'
  pen.drawImage(image, area.x, area.y, area.width, area.height, 0, 0, SIDE, SIDE)
  return await new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no picture'))), type, 0.92),
  )
}
