"""XAML: what of it trimesh reads as it is meant.

trimesh takes the matrices of `ModelVisual3D` elements for all transforms there are, and keeps the winding of meshes
that they mirror. A document with others would come out wrong without a word, so it is refused before.
"""

from __future__ import annotations

from io import BytesIO

import numpy as np

from massprops.errors import Unsupported
from massprops.readers.safe_xml import Attributes, local, read_xml

IGNORED = (
    *("TranslateTransform3D", "ScaleTransform3D", "RotateTransform3D", "Transform3DGroup"),
    *("GeometryModel3D.Transform", "Model3DGroup.Transform"),
)


def check_xaml(data: bytes) -> None:
    """Refuse a document that trimesh would misread.

    Raises
    ------
    Unreadable
        It is not well-formed.
    Unsupported
        It has transforms other than matrices of a `ModelVisual3D`, or one that mirrors.
    """

    def start(tag: str, attributes: Attributes) -> None:
        name = local(tag)
        if name in IGNORED or "Transform" in attributes:
            raise Unsupported(f"XAML: a transform that is not read ({name}); export the part with it applied")
        if name == "MatrixTransform3D":
            matrix = np.array(attributes["Matrix"].replace(",", " ").split(), dtype=np.float64)
            if matrix.shape != (16,):
                raise ValueError(f"a matrix of {matrix.size} numbers, not 16")
            if np.linalg.det(matrix.reshape(4, 4)[:3, :3]) < 0:
                raise Unsupported("XAML: a transform that mirrors; export the part with it applied")

    read_xml(BytesIO(data), "the XAML document", start)
